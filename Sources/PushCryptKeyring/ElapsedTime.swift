#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How time has passed, by a clock that nobody keeps: a device's, which its user may set, or which starts at 1970.
///
/// Two times are noted whenever somebody looks: what the clock said, and how much time is believed to have passed. Between
/// two looks no more than 24 hours are believed, and no less than none, so a clock that is set back adds nothing, and one
/// that jumps ahead adds 24 hours once, however far it jumps. The 48 hours in a key's lifetime pay for two such jumps. What is
/// known from others, the time of issue of an authentic message or the server's, may only bring the believed time forward.
public struct ElapsedTime: Sendable, Hashable {
    /// What the clock said when somebody looked last.
    public private(set) var clock: Date

    /// What time it is believed to have been then: what the clock said at first, and what has been counted since.
    ///
    /// Between two looks it never moves on by more than has passed and the jumps have cost.
    public private(set) var believed: Date

    /// The most that is believed between two looks, in seconds: 24 hours.
    public static let maximumStep: TimeInterval = 24 * 3600

    /// By how much two clocks may differ that are each wrong by 48 hours at the most, in seconds.
    public static let tolerance: TimeInterval = 96 * 3600

    /// Begins to watch.
    ///
    /// - Parameter clock: what the clock says.
    public init(startingAt clock: Date) {
        self.clock = clock
        believed = clock
    }

    init(clock: Date, believed: Date) {
        self.clock = clock
        self.believed = believed
    }

    /// Looks at the clock.
    ///
    /// - Parameters:
    ///   - now: what it says.
    ///   - known: a time that has certainly passed, from an authentic source; ``tolerance`` is taken off.
    /// - Returns: by how many seconds the believed time was behind what is known, and was brought forward.
    @discardableResult
    public mutating func look(at now: Date, known: Date? = nil) -> TimeInterval {
        let step = now.timeIntervalSince(clock)
        let counted = believed.addingTimeInterval(min(max(step, 0), Self.maximumStep))
        believed = known.map { max(counted, $0.addingTimeInterval(-Self.tolerance)) } ?? counted
        clock = now
        return believed.timeIntervalSince(counted)
    }
}
