internal import Dispatch

/// A server's silence, which lasts until the test has its outcome.
///
/// A client that waits for the server fails its test after ten minutes, on a machine of any speed.
public final class Silence: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Creates a silence that hasn't ended.
    public init() {}

    /// Waits for the end.
    public func wait() {
        _ = semaphore.wait(timeout: .now() + 600)
        semaphore.signal()
    }

    /// Ends the silence for all threads.
    public func end() { semaphore.signal() }
}
