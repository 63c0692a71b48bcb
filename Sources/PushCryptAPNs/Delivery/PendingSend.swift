#if APNs
internal import PushCryptSystem

/// One call of `APNsClient.send(_:to:)`, which its task can cancel at any time.
final class PendingSend: Sendable {
    private enum State {
        case new, cancelled
        case submitted(UInt64)
    }

    private let client: APNsClient
    private let state = LockedValue(State.new)

    init(_ client: APNsClient) { self.client = client }

    /// Submits the push, and returns its result.
    func result(_ push: APNsPush, to deviceToken: String) async -> Result<APNsReceipt, APNsError> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { submit(push, to: deviceToken, $0) }
        } onCancel: {
            cancel()
        }
    }

    private func submit(
        _ push: APNsPush, to deviceToken: String,
        _ continuation: CheckedContinuation<Result<APNsReceipt, APNsError>, Never>
    ) {
        let isCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .submitted(client.submit(push, to: deviceToken) { continuation.resume(returning: $0) })
            return false
        }
        if isCancelled { continuation.resume(returning: .failure(client.cancelledError(push))) }
    }

    private func cancel() {
        let submission = state.withLock { state -> UInt64? in
            if case .submitted(let submission) = state { return submission }
            state = .cancelled
            return nil
        }
        if let submission { client.cancel(submission) }
    }
}
#endif
