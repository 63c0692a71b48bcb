internal import PushCryptCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How old a message may be, and how far ahead its sender's clock.
public struct Freshness: Sendable, Hashable {
    /// The greatest age, in seconds.
    public var maximumAge: TimeInterval

    /// How far in the future a message may have been issued, in seconds.
    public var maximumLead: TimeInterval

    /// 30 days, for which APNs stores a notification, and 48 hours for clocks that differ; and these 48 hours ahead.
    public static let standard = Freshness(maximumAge: (30 * 24 + 48) * 3600, maximumLead: 48 * 3600)

    /// Sets other limits.
    ///
    /// - Parameters:
    ///   - maximumAge: the greatest age, in seconds.
    ///   - maximumLead: how far in the future a message may have been issued, in seconds.
    public init(maximumAge: TimeInterval, maximumLead: TimeInterval) {
        self.maximumAge = maximumAge
        self.maximumLead = maximumLead
    }

    /// Compares whole milliseconds, as messages carry them: differences of `Date` are not exact.
    func check(issuedAt: UInt64, now: UInt64) throws(PushCryptError) {
        let age = now > issuedAt ? now - issuedAt : 0
        let lead = issuedAt > now ? issuedAt - now : 0
        guard age <= Self.milliseconds(maximumAge) else {
            throw PushCryptError(
                .expired,
                "The message was issued \(Self.text(age)) ago, more than this receiver accepts. Check the clocks."
            )
        }
        guard lead <= Self.milliseconds(maximumLead) else {
            throw PushCryptError(
                .issuedInFuture,
                "The message was issued further in the future than clocks may differ. Check the clocks."
            )
        }
    }

    /// A length of time in its greatest unit.
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
