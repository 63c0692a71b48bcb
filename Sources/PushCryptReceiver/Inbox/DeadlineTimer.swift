internal import Dispatch
package import Foundation

/// A timer that runs an action after a time: the system's, or a test's.
package protocol DeadlineTimer: Sendable {
    /// Runs an action once after some seconds, on any thread, unless it's canceled before.
    ///
    /// - Returns: A function that cancels the action and releases it.
    func schedule(after seconds: TimeInterval, _ action: @escaping @Sendable () -> Void)
        -> @Sendable () -> Void
}

/// The system's timer, which pauses while the device sleeps.
package struct SystemTimer: DeadlineTimer {
    package init() {}

    package func schedule(after seconds: TimeInterval, _ action: @escaping @Sendable () -> Void)
        -> @Sendable () -> Void
    {
        let source = DispatchSource.makeTimerSource(queue: .global(qos: .userInitiated))
        source.setEventHandler(handler: action)
        source.schedule(deadline: .now() + seconds)
        source.resume()
        let timer = RunningTimer(source: source)
        return { timer.source.cancel() }
    }

    /// Any thread may cancel a dispatch source, but on Linux the type isn't `Sendable`.
    private struct RunningTimer: @unchecked Sendable {
        let source: any DispatchSourceTimer
    }
}
