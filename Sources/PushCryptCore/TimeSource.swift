public import PushCryptFoundation

/// A source of the current time: the system's clock, or a fixed time in a test.
///
/// ```swift
/// struct FixedTime: TimeSource {
///     let now: Date
/// }
/// ```
public protocol TimeSource: Sendable {
    /// The current time.
    var now: Date { get }
}

/// The clock of the system.
public struct SystemTime: TimeSource {
    /// Creates a source that reads the clock of the system.
    public init() {}

    /// The current time.
    public var now: Date { Date() }
}

extension Date {
    /// The whole seconds since 1970-01-01 UTC, from 0 to the largest integer that every JSON reader
    /// keeps.
    package var secondsSince1970: UInt64 {
        let seconds = timeIntervalSince1970.rounded(.down)
        return seconds > 0 ? min(UInt64(exactly: seconds) ?? .max, JSONDocument.maximumInteger) : 0
    }

    /// The milliseconds since 1970-01-01 UTC in a message, rounded, because a `Date` counts from
    /// 2001; at least 0.
    package var millisecondsSince1970: UInt64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        return milliseconds > 0 ? UInt64(exactly: milliseconds) ?? .max : 0
    }

    /// Creates a date from the milliseconds in a message.
    package init(millisecondsSince1970 milliseconds: UInt64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
