#if APNs
internal import PushCryptSystem

/// One call of `APNsClient.send(_:to:)`, which its task can cancel at any time.
final class PendingSend: ResultSink {
    typealias Value = Result<APNsReceipt, APNsError>

    private enum State {
        case new, cancelled, ended
        case submitted(CheckedContinuation<Value, Never>)
    }

    private let client: APNsClient
    private let submission: UInt64
    private let state = LockedValue(State.new)

    init(_ client: APNsClient) {
        self.client = client
        submission = client.nextNumber()
    }

    /// Submits the push, and returns its result.
    func result(_ push: APNsPush, to deviceToken: String) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { submit(push, to: deviceToken, $0) }
        } onCancel: {
            cancel()
        }
    }

    func take(_ results: [SendingResult]) {
        for result in results {
            let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
                guard case .submitted(let waiting) = state else { return nil }
                state = .ended
                return waiting
            }
            waiting?.resume(returning: result.result)
        }
    }

    private func submit(
        _ push: APNsPush, to deviceToken: String, _ continuation: CheckedContinuation<Value, Never>
    ) {
        let isCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .submitted(continuation)
            return false
        }
        guard !isCancelled else {
            return continuation.resume(returning: .failure(client.cancelledError(push)))
        }
        client.submit(push, to: deviceToken, self, number: submission)
        // The task may have been cancelled between the two.
        if Task.isCancelled { client.cancel(submission) }
    }

    private func cancel() {
        let isSubmitted = state.withLock { state in
            if case .new = state { state = .cancelled }
            if case .submitted = state { return true }
            return false
        }
        if isSubmitted { client.cancel(submission) }
    }
}
#endif
