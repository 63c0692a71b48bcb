public import PushCryptCore
public import PushCryptReceiver

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A clock that goes when a test says so, for senders and receivers.
public final class TestClock: TimeSource, DeadlineTimer {
    private struct State: Sendable {
        var now: Date
        var next = 0
        var actions: [Int: (due: Date, action: @Sendable () -> Void)] = [:]
    }

    private let state: LockedValue<State>

    /// Stops the clock at a time.
    ///
    /// - Parameter now: the time; by default 2026-01-01 00:00 UTC.
    public init(_ now: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        state = LockedValue(State(now: now))
    }

    /// The time on the clock.
    public var now: Date { state.withLock { $0.now } }

    /// How many actions wait for their time.
    public var waiting: Int { state.withLock { $0.actions.count } }

    /// Moves the clock on and runs what is due, the earliest first, on the caller's thread.
    ///
    /// - Parameter seconds: by how much; a clock may be set back, too.
    public func advance(by seconds: TimeInterval) {
        let due = state.withLock { state in
            state.now += seconds
            let due = state.actions.filter { $0.value.due <= state.now }
            for number in due.keys { state.actions[number] = nil }
            return due.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }.map(\.value.action)
        }
        for action in due { action() }
    }

    /// Keeps an action until the clock has moved that far.
    ///
    /// - Parameters:
    ///   - seconds: after how long.
    ///   - action: what to run.
    /// - Returns: cancels the action when it is called.
    public func schedule(
        after seconds: TimeInterval, _ action: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let number = state.withLock { state in
            state.next += 1
            state.actions[state.next] = (state.now + seconds, action)
            return state.next
        }
        return { [state] in state.withLock { $0.actions[number] = nil } }
    }
}
