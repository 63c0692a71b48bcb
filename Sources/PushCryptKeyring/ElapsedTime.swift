package import PushCryptFoundation

/// An estimate of the elapsed time on a device, whose user can set the clock and whose clock can restart at 1970.
///
/// Between two observations, the estimate grows by at most 24 hours and never shrinks. The 48 hours in the lifetime of
/// a key allow for two jumps of the clock. The date of a server's answer replaces the estimate.
package struct ElapsedTime: Sendable, Hashable {
    /// The time of the clock at the last observation.
    package internal(set) var clock: Date

    /// The estimated time at the last observation.
    package internal(set) var estimate: Date

    /// The maximum growth of the estimate between two observations, in seconds: 24 hours.
    package static let maximumStep: TimeInterval = 24 * 3600

    /// Begins with the time of the clock, and with an estimate if it differs.
    package init(startingAt clock: Date, estimate: Date? = nil) {
        self.clock = clock
        self.estimate = estimate ?? clock
    }

    /// Updates the estimate with the time of the clock, or with the date of an answer of the device's server.
    ///
    /// - Returns: The seconds that the estimate moves in addition to the counted time; negative if it moves back.
    @discardableResult
    package mutating func observe(_ now: Date, answer: Date? = nil) -> TimeInterval {
        let step = now.timeIntervalSince(clock)
        let counted = estimate.addingTimeInterval(min(max(step, 0), Self.maximumStep))
        estimate = answer ?? counted
        clock = now
        return estimate.timeIntervalSince(counted)
    }
}
