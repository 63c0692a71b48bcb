import Dispatch
import Foundation
import Testing

extension Trait where Self == ToolThreads {
    /// Runs the tests of a suite on a few threads that are not in Swift's pool, because they block
    /// while the tool runs.
    static var toolThreads: Self { ToolThreads() }
}

/// A trait for tests that start processes.
///
/// Swift's pool has one thread for each core. Tests that block these threads keep the tasks of
/// other tests waiting.
struct ToolThreads: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        if #available(macOS 15, *) {
            try await withTaskExecutorPreference(Queue.next(), operation: function)
        } else {
            try await function()
        }
    }
}

/// A serial queue with a thread.
@available(macOS 15, *)
private final class Queue: TaskExecutor {
    private static let queues = (0..<max(ProcessInfo.processInfo.activeProcessorCount, 2)).map {
        _ in Queue()
    }
    private let queue = DispatchQueue(label: "pushcrypt.tool")

    /// Returns any of the queues.
    static func next() -> Queue { queues.randomElement() ?? Queue() }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
