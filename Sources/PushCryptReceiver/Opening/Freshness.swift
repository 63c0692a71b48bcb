public import Foundation
internal import PushCryptCore

/// The limits for the age of a message and for the lead of its sender's clock.
///
/// A message is accepted for its lifetime and a tolerance, which is the lifetime again, but at
/// least 5 minutes and at most 48 hours. A receiver can shorten the lifetime of all messages. It
/// can't extend it.
public struct Freshness: Sendable, Hashable {
    /// The longest lifetime in milliseconds.
    let maximumLifetime: UInt64

    /// The greatest time in the future at which a message may have been issued, in milliseconds.
    let maximumLead: UInt64

    /// The lifetime of each message, at most 30 days, and a lead of 48 hours.
    public static let standard = Freshness(
        maximumLifetime: longestLifetime, maximumLead: longestLead)

    private static let longestLifetime: TimeInterval = 30 * 24 * 3600
    private static let longestLead: TimeInterval = 48 * 3600

    /// Creates limits, both in seconds.
    ///
    /// The lifetime is at most 30 days, and the lead at most 48 hours.
    public init(maximumLifetime: TimeInterval, maximumLead: TimeInterval = 48 * 3600) {
        self.maximumLifetime = Self.milliseconds(min(maximumLifetime, Self.longestLifetime))
        self.maximumLead = Self.milliseconds(min(maximumLead, Self.longestLead))
    }

    /// The greatest age of a message with a lifetime, both in milliseconds.
    func maximumAge(lifetime: UInt64) -> UInt64 {
        let lifetime = min(lifetime, maximumLifetime)
        return lifetime + min(max(lifetime, 5 * 60_000), 48 * 3_600_000)
    }

    /// Checks the dates of a message.
    func check(_ message: IncomingMessage, arrival: UInt64, now: UInt64) throws(PushCryptError) {
        try check(
            issuedAt: message.issuedAt, lifetime: UInt64(message.lifetime) * 1000, arrival: arrival,
            now: now)
    }

    /// Compares milliseconds, as messages carry them, because differences of `Date` aren't exact.
    func check(issuedAt: UInt64, lifetime: UInt64, arrival: UInt64, now: UInt64)
        throws(PushCryptError)
    {
        let age = arrival > issuedAt ? arrival - issuedAt : 0
        let lead = issuedAt > now ? issuedAt - now : 0
        guard age <= maximumAge(lifetime: lifetime) else {
            throw PushCryptError(
                .expired,
                """
                The message is too old: it was issued \(Self.text(age)) ago. Seal it with a longer \
                lifetime.
                """)
        }
        guard lead <= maximumLead else {
            throw PushCryptError(
                .issuedInFuture,
                """
                The message was issued \(Self.text(lead)) in the future, more than this receiver \
                accepts. Check the clocks.
                """)
        }
    }

    private static func text(_ milliseconds: UInt64) -> String {
        for (unit, name) in [(3_600_000, "hours"), (60_000, "minutes"), (1000, "seconds")]
            as [(UInt64, String)]
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
