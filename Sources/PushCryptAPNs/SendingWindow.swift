#if APNs
/// The pushes of a sequence that are being sent at the same time, for `APNsClient.send(_:concurrently:)`.
///
/// The tool's `send --lines` has a window of its own, which also limits the answers in memory.
actor SendingWindow<Pushes: IteratorProtocol> where Pushes.Element == (push: APNsPush, device: String) {
    private let client: APNsClient
    private var pushes: Pushes
    private let limit: Int
    private var tasks: [Task<Result<APNsReceipt, APNsError>, Never>] = []
    private var isAtEnd = false

    init(_ client: APNsClient, _ pushes: sending Pushes, limit: Int) {
        self.client = client
        self.pushes = pushes
        self.limit = limit
    }

    deinit { for task in tasks { task.cancel() } }

    /// Sends as many pushes as fit into the window, and returns the next result, or `nil` at the end.
    func next() async -> Result<APNsReceipt, APNsError>? {
        while !isAtEnd, tasks.count < limit {
            guard let (push, device) = pushes.next() else {
                isAtEnd = true
                break
            }
            tasks.append(
                Task { [client] in
                    do throws(APNsError) {
                        return .success(try await client.send(push, to: device))
                    } catch {
                        return .failure(error)
                    }
                })
        }
        guard !tasks.isEmpty else { return nil }
        let task = tasks.removeFirst()
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
#endif
