#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Where the time of day comes from: the system, or a test that decides what time it is.
public protocol TimeSource: Sendable {
    /// The time now.
    var now: Date { get }
}

/// The system's own clock.
public struct SystemTime: TimeSource {
    /// Makes a source that reads the system's clock.
    public init() {}

    /// The time now.
    public var now: Date { Date() }
}

extension Date {
    /// Milliseconds since 1970-01-01 UTC, as a message says when it was issued; a time before that is 0.
    ///
    /// To the nearest, because a `Date` counts from 2001 and comes back from milliseconds a little too small as often as
    /// not.
    package var millisecondsSince1970: UInt64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        return milliseconds > 0 ? UInt64(exactly: milliseconds) ?? .max : 0
    }

    /// The time that a message says it was issued at.
    package init(millisecondsSince1970 milliseconds: UInt64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
