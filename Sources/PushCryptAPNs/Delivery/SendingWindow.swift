#if APNs
internal import NIOCore
internal import PushCryptSystem

/// The pushes of a sequence that are being sent at the same time, for `APNsClient.send(_:concurrently:)`.
actor SendingWindow<Pushes: IteratorProtocol> where Pushes.Element == (push: APNsPush, device: String) {
    private let client: APNsClient
    private var pushes: Pushes
    private let limit: Int
    /// The submissions without a result, in the order of their pushes.
    private var submissions = CircularBuffer<UInt64>()
    /// The number of results that were returned.
    private var count = 0
    private var isAtEnd = false
    private let results = OrderedResults()

    init(_ client: APNsClient, _ pushes: sending Pushes, limit: Int) {
        self.client = client
        self.pushes = pushes
        self.limit = limit
    }

    deinit { for submission in submissions { client.cancel(submission) } }

    /// Sends as many pushes as fit into the window, and returns the next result, or `nil` at the end.
    func next() async -> Result<APNsReceipt, APNsError>? {
        while !isAtEnd, submissions.count < limit {
            guard let (push, device) = pushes.next() else {
                isAtEnd = true
                break
            }
            let index = count + submissions.count
            submissions.append(client.submit(push, to: device) { [results] in results.add($0, at: index) })
        }
        guard let submission = submissions.first else { return nil }
        let result = await withTaskCancellationHandler {
            await results.result(at: count)
        } onCancel: { [client] in
            client.cancel(submission)
        }
        submissions.removeFirst()
        count += 1
        return result
    }
}

/// Results that arrive in any order, and one task that waits for the next one in order.
private final class OrderedResults: Sendable {
    typealias Value = Result<APNsReceipt, APNsError>

    private struct State {
        var results: [Int: Value] = [:]
        var waiting: CheckedContinuation<Value, Never>?
        /// The index for which the task waits.
        var index = -1
    }

    private let state = LockedValue(State())

    func add(_ result: Value, at index: Int) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
            guard state.index == index, let waiting = state.waiting else {
                state.results[index] = result
                return nil
            }
            state.waiting = nil
            return waiting
        }
        waiting?.resume(returning: result)
    }

    func result(at index: Int) async -> Value {
        await withCheckedContinuation { continuation in
            let result = state.withLock { state -> Value? in
                if let result = state.results.removeValue(forKey: index) { return result }
                state.index = index
                state.waiting = continuation
                return nil
            }
            if let result { continuation.resume(returning: result) }
        }
    }
}
#endif
