#if APNs
internal import NIOCore
internal import PushCryptSystem

/// The pushes of a sequence that are being sent at the same time, for
/// `APNsClient.send(_:concurrently:)`.
actor SendingWindow<Pushes: IteratorProtocol>
where Pushes.Element == (push: APNsPush, device: String) {
    private let client: APNsClient
    private var pushes: Pushes
    private let limit: Int
    /// The submissions without a result, in the order of their pushes.
    private var submissions = CircularBuffer<UInt64>()
    private var isAtEnd = false
    private let results = OrderedResults()

    init(_ client: APNsClient, _ pushes: sending Pushes, limit: Int) {
        self.client = client
        self.pushes = pushes
        self.limit = limit
    }

    deinit { for submission in submissions { client.cancel(submission) } }

    /// Sends as many pushes as fit into the window, and returns the next result, or `nil` at the
    /// end.
    func next() async -> Result<APNsReceipt, APNsError>? {
        // Several at a time, so that one wake-up of the event loop serves them all.
        if submissions.count <= limit - max(1, limit / 8) {
            while !isAtEnd, submissions.count < limit { submit() }
        }
        guard let submission = submissions.first else { return nil }
        let result = await withTaskCancellationHandler {
            await results.result(of: submission)
        } onCancel: { [client] in
            client.cancel(submission)
        }
        submissions.removeFirst()
        return result
    }

    private func submit() {
        guard let (push, device) = pushes.next() else {
            isAtEnd = true
            return
        }
        submissions.append(client.submit(push, to: device, results))
    }
}

/// Results that arrive in any order, and one task that waits for the next one in order.
private final class OrderedResults: ResultSink {
    typealias Value = Result<APNsReceipt, APNsError>

    private struct State {
        var results: [UInt64: Value] = [:]
        var waiting: CheckedContinuation<Value, Never>?
        /// The submission for which the task waits.
        var submission: UInt64 = 0
    }

    private let state = LockedValue(State())

    func take(_ results: [SendingResult]) {
        state.withLock { state in
            for result in results { state.results[result.submission] = result.result }
            guard let waiting = state.waiting,
                let value = state.results.removeValue(forKey: state.submission)
            else {
                return
            }
            state.waiting = nil
            waiting.resume(returning: value)
        }
    }

    func result(of submission: UInt64) async -> Value {
        if let result = state.withLock({ $0.results.removeValue(forKey: submission) }) {
            return result
        }
        return await withCheckedContinuation { continuation in
            let result = state.withLock { state -> Value? in
                if let result = state.results.removeValue(forKey: submission) { return result }
                state.submission = submission
                state.waiting = continuation
                return nil
            }
            if let result { continuation.resume(returning: result) }
        }
    }
}
#endif
