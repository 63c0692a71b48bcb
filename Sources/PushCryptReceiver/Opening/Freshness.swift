public import Foundation
internal import PushCryptCore

/// The limits for a message's age and for the lead of its sender's clock.
public struct Freshness: Sendable, Hashable {
    /// The greatest age of a message, in seconds.
    let maximumAge: TimeInterval

    /// The greatest time in the future at which a message may have been issued, in seconds.
    let maximumLead: TimeInterval

    /// An age of 30 days and 48 hours, and a lead of 48 hours.
    ///
    /// APNs stores a notification for up to 30 days, and clocks may differ by up to 48 hours.
    public static let standard = Freshness(maximumAge: (30 * 24 + 48) * 3600, maximumLead: 48 * 3600)

    /// Creates limits, both in seconds.
    public init(maximumAge: TimeInterval, maximumLead: TimeInterval) {
        self.maximumAge = maximumAge
        self.maximumLead = maximumLead
    }

    /// Compares milliseconds, as messages carry them, because differences of `Date` aren't exact.
    func check(issuedAt: UInt64, now: UInt64) throws(PushCryptError) {
        let age = now > issuedAt ? now - issuedAt : 0
        let lead = issuedAt > now ? issuedAt - now : 0
        guard age <= Self.milliseconds(maximumAge) else {
            throw PushCryptError(
                .expired,
                "The message was issued \(Self.text(age)) ago, more than this receiver accepts. Check the clocks.")
        }
        guard lead <= Self.milliseconds(maximumLead) else {
            throw PushCryptError(
                .issuedInFuture,
                "The message was issued \(Self.text(lead)) in the future, more than this receiver accepts. Check the clocks."
            )
        }
    }

    private static func text(_ milliseconds: UInt64) -> String {
        for (unit, name) in [(3_600_000, "hours"), (60_000, "minutes"), (1000, "seconds")] as [(UInt64, String)]
        where milliseconds >= 2 * unit {
            return "\(milliseconds / unit) \(name)"
        }
        return "\(milliseconds) milliseconds"
    }

    static func milliseconds(_ seconds: TimeInterval) -> UInt64 {
        let milliseconds = (seconds * 1000).rounded()
        return milliseconds > 0 ? UInt64(exactly: milliseconds) ?? .max : 0
    }
}
