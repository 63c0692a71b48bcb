internal import Dispatch

/// A value that threads read and change one at a time; `Mutex` requires later systems.
package final class LockedValue<Value: Sendable>: @unchecked Sendable {
    private let queue = DispatchQueue(label: "pushcrypt.locked-value")
    private var value: Value

    /// Creates a lock around a value.
    package init(_ value: Value) {
        self.value = value
    }

    /// Runs a closure, which must not call this method again, while no other thread uses the value.
    package func withLock<Result: Sendable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result = queue.sync { Swift.Result { () throws(Failure) in try body(&value) } }
        return try result.get()
    }
}
