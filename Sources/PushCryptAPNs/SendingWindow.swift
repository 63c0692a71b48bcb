#if APNs
/// The pushes of a sequence that are being sent at the same time.
actor SendingWindow<Pushes: IteratorProtocol> where Pushes.Element == (push: APNsPush, device: String) {
    private let client: APNsClient
    private var pushes: Pushes
    private let limit: Int
    /// A queue in a ring.
    private var tasks: [Task<Result<APNsReceipt, APNsError>, Never>?] = []
    private var (first, count) = (0, 0)
    private var isAtEnd = false

    init(_ client: APNsClient, _ pushes: sending Pushes, _ limit: Int) {
        (self.client, self.pushes, self.limit) = (client, pushes, limit)
    }

    deinit {
        for task in tasks { task?.cancel() }
    }

    /// Sends as many pushes as fit into the window, and returns the next result, or `nil` at the end.
    func next() async -> Result<APNsReceipt, APNsError>? {
        while !isAtEnd, count < limit {
            guard let (push, device) = pushes.next() else {
                isAtEnd = true
                break
            }
            let task = Task { [client] () -> Result<APNsReceipt, APNsError> in
                do throws(APNsError) {
                    return .success(try await client.send(push, to: device))
                } catch {
                    return .failure(error)
                }
            }
            if tasks.count < limit { tasks.append(task) } else { tasks[(first + count) % limit] = task }
            count += 1
        }
        guard count > 0, let task = tasks[first] else { return nil }
        tasks[first] = nil
        (first, count) = ((first + 1) % limit, count - 1)
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
#endif
