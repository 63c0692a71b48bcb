internal import Dispatch

/// A value that any thread may read and change, one at a time.
///
/// A serial queue serves as the lock: the newer locks of the standard library and of the system need later systems than
/// this library supports, and those of Foundation would bring all of Foundation into a notification service extension.
package final class LockedValue<Value: Sendable>: @unchecked Sendable {
    private let queue = DispatchQueue(label: "pushcrypt.protected")
    private var value: Value

    /// Protects a value.
    package init(_ value: Value) {
        self.value = value
    }

    /// Runs one step alone.
    ///
    /// The step must not call back into this value: it would wait for itself.
    package func withLock<Result: Sendable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result: Swift.Result<Result, Failure> = queue.sync {
            do throws(Failure) {
                return .success(try body(&value))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
