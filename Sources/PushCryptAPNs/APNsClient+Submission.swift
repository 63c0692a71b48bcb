#if APNs
package import PushCryptFoundation
internal import PushCryptSender
internal import PushCryptSystem

/// Sending without a task for each push, for the tool.
extension APNsClient {
    /// The number of a submitted push, unique in its client.
    package typealias Submission = UInt64

    /// Starts to send a push, and calls a function with its result.
    ///
    /// - Parameters:
    ///   - push: The push. Its `apns-id` should be set, so that the caller knows it before the result.
    ///   - deviceToken: The device token in hexadecimal.
    ///   - completion: A function that is called once, on any thread, and mustn't wait.
    /// - Returns: A number for ``cancel(_:)``.
    @discardableResult package func submit(
        _ push: APNsPush, to deviceToken: String,
        completion: @escaping @Sendable (Result<APNsReceipt, APNsError>) -> Void
    ) -> Submission {
        let number = submissions.withLock { submissions in
            submissions.count += 1
            return submissions.count
        }
        let task = Task {
            let result: Result<APNsReceipt, APNsError>
            do throws(APNsError) {
                result = .success(try await send(push, to: deviceToken))
            } catch {
                result = .failure(error)
            }
            submissions.withLock { $0.tasks[number] = nil }
            completion(result)
        }
        submissions.withLock { $0.tasks[number] = task }
        return number
    }

    /// Cancels a submitted push, whose completion gets an error with the code `cancelled` unless it has its result.
    package func cancel(_ submission: Submission) { submissions.withLock { $0.tasks[submission]?.cancel() } }

    /// Cancels all submitted pushes.
    package func cancelAll() { submissions.withLock { for task in $0.tasks.values { task.cancel() } } }
}

/// The submitted pushes without a result.
struct Submissions {
    var count: UInt64 = 0
    var tasks: [UInt64: Task<Void, Never>] = [:]
}
#endif
