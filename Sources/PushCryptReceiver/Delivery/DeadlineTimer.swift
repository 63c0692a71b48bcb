internal import Dispatch

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Something that runs an action after a while: the system, or a test that decides when that is.
public protocol DeadlineTimer: Sendable {
    /// Runs an action once, on any thread, unless it is cancelled before.
    ///
    /// - Parameters:
    ///   - seconds: after how long.
    ///   - action: what to run.
    /// - Returns: cancels the action when it is called, and lets go of it.
    func schedule(after seconds: TimeInterval, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

/// The system's timers.
///
/// They do not run while the device sleeps.
public struct SystemTimer: DeadlineTimer {
    /// Makes the timer.
    public init() {}

    /// Runs an action once, on a global queue, unless it is cancelled before.
    ///
    /// - Parameters:
    ///   - seconds: after how long.
    ///   - action: what to run.
    /// - Returns: cancels the action when it is called, and lets go of it.
    public func schedule(
        after seconds: TimeInterval, _ action: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let source = DispatchSource.makeTimerSource(queue: .global(qos: .userInitiated))
        source.setEventHandler(handler: action)
        source.schedule(deadline: .now() + seconds)
        source.resume()
        let timer = RunningTimer(source)
        return { timer.cancel() }
    }
}

/// A running timer.
///
/// Dispatch's sources may be cancelled from any thread, but do not say so to the compiler on Linux.
private final class RunningTimer: @unchecked Sendable {
    private let source: any DispatchSourceTimer

    init(_ source: any DispatchSourceTimer) {
        self.source = source
    }

    func cancel() {
        source.cancel()
    }
}
