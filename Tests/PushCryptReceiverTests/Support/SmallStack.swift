import Foundation
import PushCryptCore
import PushCryptReceiver
import PushCryptSystem
import Testing

/// Runs a step with a stack of 512 KiB, like that of a queue's threads.
func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () -> Result) throws -> Result {
    let results = LockedValue<[Result]>([])
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        let result = body()
        results.withLock { $0 = [result] }
        done.signal()
    }
    thread.stackSize = 512 * 1024
    thread.start()
    done.wait()
    return try #require(results.withLock { $0 }.first)
}
