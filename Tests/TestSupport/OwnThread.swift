internal import Dispatch
public import Testing

extension Trait where Self == OwnThread {
    /// Runs each test on a thread of its own, so that it may block until a task of the tested code
    /// has run.
    ///
    /// Swift's pool has one thread for each core. Tests that block all of them keep the tasks from
    /// running.
    public static var ownThread: Self { OwnThread() }
}

/// A trait for tests that block their thread.
public struct OwnThread: SuiteTrait, TestTrait, TestScoping {
    /// A Boolean value that indicates whether the tests of a suite inherit the trait.
    public let isRecursive = true

    /// Runs a test on a queue of its own.
    public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        if #available(macOS 15, iOS 18, watchOS 11, tvOS 18, *) {
            try await withTaskExecutorPreference(Queue(), operation: function)
        } else {
            try await function()
        }
    }
}

/// A serial queue, which the system gives a thread beyond those of the pool.
@available(macOS 15, iOS 18, watchOS 11, tvOS 18, *)
private final class Queue: TaskExecutor {
    private let queue = DispatchQueue(label: "pushcrypt.test")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
