internal import Foundation

/// The events for one thread, which other threads post.
///
/// A thread that posts never waits longer than for the copy of an event. It wakes the receiver if
/// the inbox was empty.
final class Inbox<Event: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var events: [Event] = []

    func post(_ event: Event) {
        condition.lock()
        let wasEmpty = events.isEmpty
        events.append(event)
        condition.unlock()
        if wasEmpty { condition.signal() }
    }

    /// Waits for an event or until a time, and replaces the contents of an array by all events.
    func take(into taken: inout [Event], until limit: TimeInterval = .infinity) {
        taken.removeAll(keepingCapacity: true)
        condition.lock()
        defer { condition.unlock() }
        while events.isEmpty {
            // The condition waits by the clock, which can be set. A second is the most that such a
            // change costs.
            let left = min(limit - Clock.now, 1)
            guard left > 0 else { return }
            _ = condition.wait(until: Date(timeIntervalSinceNow: left))
        }
        swap(&events, &taken)
    }
}
