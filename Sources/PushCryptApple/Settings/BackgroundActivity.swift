internal import Dispatch
internal import Foundation

/// Work for which the system doesn't suspend the app.
enum BackgroundActivity {
    /// Runs work, and cancels it if the system's time expires.
    ///
    /// Source: Apple, `ProcessInfo.performExpiringActivity(withReason:using:)`, which works in apps
    /// and in extensions.
    static func run(_ work: @escaping @Sendable () async -> Void) async {
        #if canImport(Darwin) && !os(macOS)
        let task = Task { await work() }
        let end = DispatchSemaphore(value: 0)
        ProcessInfo.processInfo.performExpiringActivity(withReason: "PushCrypt") { isExpired in
            // The system calls it again when the time expires, and then the first call must return.
            if isExpired {
                task.cancel()
                end.signal()
            } else {
                end.wait()
            }
        }
        await task.value
        end.signal()
        #else
        await work()
        #endif
    }
}
