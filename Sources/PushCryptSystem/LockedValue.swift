#if canImport(Darwin)
internal import PushCryptFoundation
#else
internal import Synchronization
#endif

/// A value that threads read and change one at a time.
///
/// It is the lock of the libraries and the tool. Without contention, `Mutex` takes less than a
/// tenth of the time of a dispatch queue, which takes turns as well. On Apple's platforms, `Mutex`
/// requires later systems than the project does, so `NSLock` stands in.
package final class LockedValue<Value: Sendable>: @unchecked Sendable {
    #if canImport(Darwin)
    private let lock = NSLock()
    private var value: Value

    /// Creates a lock around a value.
    package init(_ value: Value) {
        self.value = value
    }

    /// Runs a closure, which must not call this method again, while no other thread uses the value.
    package func withLock<Result: Sendable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
    #else
    private let value: Mutex<Value>

    /// Creates a lock around a value.
    package init(_ value: Value) {
        self.value = Mutex(value)
    }

    /// Runs a closure, which must not call this method again, while no other thread uses the value.
    package func withLock<Result: Sendable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try value.withLock { (value) throws(Failure) in try body(&value) }
    }
    #endif
}
