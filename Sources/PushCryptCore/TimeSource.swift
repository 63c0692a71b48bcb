#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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

/// The periods that keyrings and the check of a message's age share.
package enum KeyLifetime {
    /// The largest error of a clock that is allowed for, in seconds: 48 hours.
    package static let clockTolerance: TimeInterval = 48 * 3600

    /// The lifetimes that a message or a key can have, in seconds, up to 30 days.
    ///
    /// APNs stores a notification for up to 30 days
    /// (https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns).
    package static let range: ClosedRange<UInt64> = 1...(30 * 24 * 3600)

    /// Returns a lifetime in whole seconds, or throws `invalidLifetime` if it is not in the range.
    package static func seconds(_ lifetime: TimeInterval) throws(PushCryptError) -> UInt64 {
        guard let seconds = UInt64(exactly: lifetime.rounded(.down)), range.contains(seconds) else {
            throw PushCryptError(.invalidLifetime, "The lifetime isn't valid. Give a lifetime of 1 second to 30 days.")
        }
        return seconds
    }
}

extension Date {
    /// The whole seconds since 1970-01-01 UTC, from 0 to the largest integer that every JSON reader keeps.
    ///
    /// A clock can be before 1970, far in the future, or not a number.
    package var secondsSince1970: UInt64 {
        let seconds = timeIntervalSince1970.rounded(.down)
        return seconds > 0 ? min(UInt64(exactly: seconds) ?? .max, JSONDocument.maximumInteger) : 0
    }

    /// The milliseconds since 1970-01-01 UTC in a message; 0 for an earlier time.
    ///
    /// Rounded to the nearest, because a `Date` counts from 2001 and cannot represent every millisecond.
    package var millisecondsSince1970: UInt64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        return milliseconds > 0 ? UInt64(exactly: milliseconds) ?? .max : 0
    }

    /// Creates a date from the milliseconds in a message.
    package init(millisecondsSince1970 milliseconds: UInt64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
