import Foundation
import Hummingbird

/// The registrations of each user, and from each address, in the current minute.
actor RegistrationRate {
    private var minute = 0
    private var counts: [String: Int] = [:]

    /// Counts a registration, and throws status 429 if there were too many of a user or from an
    /// address.
    ///
    /// The address is empty if no proxy names it.
    func count(_ user: String, from address: String, at now: Date) throws(HTTPError) {
        let seconds = Int(now.timeIntervalSince1970)
        if minute != seconds / 60 {
            minute = seconds / 60
            counts = [:]
        }
        let limits = [
            "user \(user)": Limits.registrationsPerMinute,
            "address \(address)": Limits.registrationsPerAddress,
        ]
        for (name, limit) in limits where name != "address " && counts[name, default: 0] >= limit {
            throw HTTPError(
                .tooManyRequests, headers: [.retryAfter: "\(60 - seconds % 60)"],
                message:
                    "The \(name.prefix { $0 != " " }) registers too often. Wait for 'Retry-After'.")
        }
        for name in limits.keys { counts[name, default: 0] += 1 }
    }
}
