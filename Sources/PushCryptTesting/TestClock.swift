public import Foundation
public import PushCryptCore
public import PushCryptReceiver

/// A clock for senders and receivers that a test advances.
///
/// ```swift
/// let clock = TestClock()
/// let opener = Opener(keys: store, senderPolicy: .anyone, time: clock)
/// clock.advance(by: 60)
/// ```
public final class TestClock: TimeSource, DeadlineTimer {
    private struct State: Sendable {
        var now: Date
        var next = 0
        var actions: [Int: (due: Date, action: @Sendable () -> Void)] = [:]
    }

    private let state: LockedValue<State>

    /// Creates a clock that shows a time, by default 2026-01-01 00:00 UTC.
    public init(_ now: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        state = LockedValue(State(now: now))
    }

    /// The time on the clock.
    public var now: Date { state.withLock { $0.now } }

    /// The number of scheduled actions.
    package var waiting: Int { state.withLock { $0.actions.count } }

    /// Advances the clock by seconds, or sets it back, and runs the due actions in order on the caller's thread.
    public func advance(by seconds: TimeInterval) {
        let due = state.withLock { state in
            state.now += seconds
            let due = state.actions.filter { $0.value.due <= state.now }
            for number in due.keys { state.actions[number] = nil }
            return due.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }.map(\.value.action)
        }
        for action in due { action() }
    }

    /// Schedules an action, and returns a function that cancels it.
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
