internal import Dispatch
package import PushCryptCore

/// A lock file, which excludes other processes and threads for a moment.
///
/// A killed process releases it. It's never deleted, and has no contents.
package struct FileLock: Sendable {
    /// The path of the lock file.
    let path: String

    /// The lock with which the threads of this process take turns.
    ///
    /// In a flood of pushes, too many threads would wait for the file.
    private static let turn = DispatchSemaphore(value: 1)

    /// Names a lock file in an existing directory, without opening it.
    package init(_ path: String) { self.path = path }

    /// Calls a closure, which must not use a lock itself, while no other caller holds the lock.
    ///
    /// - Throws: ``PushCryptError`` with `lockTimeout` after about 50 ms, `fileNotFound` if the
    ///   directory is missing, `insecureFile` or `fileSystemError`, or the error of the closure.
    package func withLock<Result>(_ body: () throws(PushCryptError) -> Result)
        throws(PushCryptError) -> Result
    {
        Self.turn.wait()
        defer { Self.turn.signal() }
        // Other processes hold the lock for much less than 50 ms.
        let lock = try FileDescriptor.locking(path, patience: 50)
        let result = try body()
        _ = consume lock
        return result
    }
}
