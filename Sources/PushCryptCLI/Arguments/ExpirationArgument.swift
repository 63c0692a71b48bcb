internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

/// The end of APNs' attempts on the command line: a period from now, or seconds since 1970.
struct ExpirationArgument {
    /// The value of the header `apns-expiration`: seconds since 1970, or 0 for one attempt.
    let seconds: UInt32

    private let isPast: Bool

    /// Parses an argument.
    init(_ argument: String) throws {
        let now = Date().timeIntervalSince1970
        if let period = try? Period.seconds(argument) {
            guard period > 0 else {
                throw ValidationError("The period is zero. Give 0 for one attempt.")
            }
            seconds = UInt32(clamping: Int64(now + period))
        } else if let seconds = UInt32(argument) {
            self.seconds = seconds
        } else {
            throw ValidationError("Give a period as in 12h, or seconds since 1970, or 0.")
        }
        isPast = seconds > 0 && TimeInterval(seconds) < now
    }

    /// The value for the headers of a push.
    var expiration: APNsHeaders.Expiration { APNsHeaders.Expiration(seconds: seconds) }

    /// Warns of a time that has passed.
    func warnIfPast() {
        guard isPast else { return }
        let day = Date(timeIntervalSince1970: TimeInterval(seconds)).isoDay
        Output.warning(
            """
            the expiration, \(day), is in the past, so APNs doesn't store the push; give a period \
            as in 12h
            """)
    }
}
