internal import PushCryptCore
internal import PushCryptFoundation

/// An estimate of the elapsed time on a device, whose user can set the clock and whose clock can
/// restart at 1970.
///
/// Between two observations, the estimate and the count grow by at most 24 hours and never shrink.
/// The 48 hours in the lifetime of a key allow for two jumps of the clock.
///
/// The date of a server's answer replaces the estimate. No answer moves the count, so that a server
/// whose date stands still or goes back, or an attacker who answers in its place, keeps no key
/// alive: a key becomes old or expires by the estimate or by the count, whichever comes first.
struct ElapsedTime: Sendable, Hashable {
    /// The time of the clock at the last observation.
    var clock: Date

    /// The estimated time at the last observation.
    var estimate: Date

    /// The device's own count, which begins at the first estimate.
    var count: Date

    /// The count at the last step of each key: its retirement, or its creation.
    var marks: [KeyID: Date] = [:]

    /// The maximum growth of the estimate between two observations, in seconds: 24 hours.
    static let maximumStep: TimeInterval = 24 * 3600

    /// Begins with the time of the clock, and with an estimate if it differs.
    init(startingAt clock: Date, estimate: Date? = nil) {
        self.clock = clock
        self.estimate = estimate ?? clock
        count = self.estimate
    }

    /// Updates the estimate with the time of the clock, or with the date of an answer of the
    /// device's server.
    ///
    /// - Returns: The seconds that the estimate moves in addition to the counted time; negative if
    ///   it moves back.
    @discardableResult
    mutating func observe(_ now: Date, answer: Date? = nil) -> TimeInterval {
        let step = min(max(now.timeIntervalSince(clock), 0), Self.maximumStep)
        count += step
        let counted = estimate + step
        estimate = answer ?? counted
        clock = now
        return estimate.timeIntervalSince(counted)
    }

    /// Records the count at the last step of each key, and forgets the other keys.
    ///
    /// - Parameter steps: The keys, each with the estimate at its last step. A mark that exists
    ///   stays.
    mutating func mark(_ steps: [(key: KeyID, date: Date)]) {
        let ahead = estimate.timeIntervalSince(count)
        marks = Dictionary(steps.map { ($0.key, marks[$0.key] ?? min($0.date - ahead, count)) }) {
            first, _ in first
        }
    }

    /// Returns the time since a step of a key, in seconds.
    func elapsed(since date: Date, of key: KeyID) -> TimeInterval {
        let counted = marks[key].map { count.timeIntervalSince($0) } ?? 0
        return max(estimate.timeIntervalSince(date), counted)
    }
}
