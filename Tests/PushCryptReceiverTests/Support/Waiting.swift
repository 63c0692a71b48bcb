import Dispatch
import PushCryptSystem

/// Waits for asynchronous work on the thread of a test, which isn't one of the concurrency's own.
func waiting<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) -> Result {
    let results = LockedValue<[Result]>([])
    let done = DispatchSemaphore(value: 0)
    Task {
        let result = await work()
        results.withLock { $0 = [result] }
        done.signal()
    }
    done.wait()
    return results.withLock { $0[0] }
}
