package import PushCryptCore
package import PushCryptFoundation

/// The periods that keyrings and the check of a message's age share.
package enum KeyLifetime {
    /// The largest error of a clock that is allowed for, in seconds: 48 hours.
    package static let clockTolerance: TimeInterval = 48 * 3600

    /// The lifetimes that a message or a key can have, in seconds, up to 30 days.
    package static let range =
        UInt64(MessageHeader.lifetimes.lowerBound)...UInt64(MessageHeader.lifetimes.upperBound)

    /// Returns a lifetime in whole seconds, or throws `invalidLifetime` if it isn't in the range.
    package static func seconds(_ lifetime: TimeInterval) throws(PushCryptError) -> UInt64 {
        guard let seconds = UInt64(exactly: lifetime.rounded(.down)), range.contains(seconds) else {
            throw PushCryptError(
                .invalidLifetime,
                "The lifetime isn't valid. Give a lifetime of 1 second to 30 days.")
        }
        return seconds
    }

    /// Throws `invalidLifetime` if a rotation age is a mistake: a number of days, or an age that no
    /// key reaches.
    package static func check(rotationAge: TimeInterval) throws(PushCryptError) {
        guard (3600...366 * 24 * 3600).contains(rotationAge) else {
            throw PushCryptError(
                .invalidLifetime,
                """
                The rotation age, \(rotationAge) seconds, isn't valid. Set it from an hour to a \
                year, in seconds.
                """)
        }
    }
}
