#if APNs

/// The results of many pushes, in the order of the pushes.
public struct APNsResults<Pushes: Sequence>: AsyncSequence
where Pushes.Element == (push: APNsPush, device: String) {
    /// The receipt or the error of a push.
    public typealias Element = Result<APNsReceipt, APNsError>

    let client: APNsClient
    let pushes: Pushes
    let limit: Int

    /// Creates an iterator, which sends the pushes.
    public func makeAsyncIterator() -> Iterator { Iterator(client, pushes.makeIterator(), limit) }

    /// The iterator.
    public final class Iterator: AsyncIteratorProtocol {
        private let client: APNsClient
        private var pushes: Pushes.Iterator
        private let limit: Int
        /// The pushes that are being sent, as a queue in a ring.
        private var tasks: [Task<Element, Never>?]
        private var (first, count) = (0, 0)
        private var isAtEnd = false

        init(_ client: APNsClient, _ pushes: Pushes.Iterator, _ limit: Int) {
            (self.client, self.pushes, self.limit) = (client, pushes, limit)
            tasks = []
        }

        deinit {
            for task in tasks { task?.cancel() }
        }

        /// Returns the next result, or `nil` at the end; if the task is cancelled, the results are errors.
        public func next() async -> Element? {
            while !isAtEnd, count < limit {
                guard let (push, device) = pushes.next() else {
                    isAtEnd = true
                    break
                }
                let task = Task { [client] () -> Element in
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
}
#endif
