internal import Dispatch
internal import PushCryptSender
internal import PushCryptSystem

/// Runs an asynchronous function, and waits for its result on a thread that isn't in Swift's pool.
func waiting<Value: Sendable>(for body: @escaping @Sendable () async -> Value) -> Value {
    let end = DispatchSemaphore(value: 0)
    let result = LockedValue<Value?>(nil)
    Task {
        let value = await body()
        result.withLock { $0 = value }
        end.signal()
    }
    while true {
        end.wait()
        if let value = result.withLock({ $0 }) { return value }
    }
}
