public import Foundation
public import PushCryptCore
internal import PushCryptReceiver
internal import PushCryptSystem

/// A clock for senders and receivers that a test advances.
///
/// ```swift
/// let clock = TestClock()
/// let opener = Opener(keys: store, senderPolicy: .anyone, time: clock)
/// clock.advance(by: 60)
/// ```
public final class TestClock: TimeSource {
    private struct Scheduled: Sendable {
        let number: Int
        let due: Date
        let action: @Sendable () -> Void
    }

    private struct State: Sendable {
        var now: Date
        var next = 0
        var scheduled: [Scheduled] = []
    }

    private let state: LockedValue<State>

    /// Creates a clock at a time, by default 2026-01-01 00:00 UTC.
    public init(_ now: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        state = LockedValue(State(now: now))
    }

    /// The time on the clock.
    public var now: Date { state.withLock { $0.now } }

    /// The number of scheduled actions.
    package var waiting: Int { state.withLock { $0.scheduled.count } }

    /// Advances the clock by seconds, or sets it back, and runs the due actions in order on the
    /// caller's thread.
    public func advance(by seconds: TimeInterval) {
        let due = state.withLock { state in
            state.now += seconds
            let due = state.scheduled.filter { $0.due <= state.now }
            state.scheduled.removeAll { $0.due <= state.now }
            return due.sorted { ($0.due, $0.number) < ($1.due, $1.number) }
        }
        for scheduled in due { scheduled.action() }
    }

}

extension TestClock: DeadlineTimer {
    package func schedule(
        after seconds: TimeInterval, _ action: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let number = state.withLock { state in
            state.next += 1
            let scheduled = Scheduled(number: state.next, due: state.now + seconds, action: action)
            state.scheduled.append(scheduled)
            return state.next
        }
        return { [state] in
            state.withLock { state in state.scheduled.removeAll { $0.number == number } }
        }
    }
}
