import Foundation
import Hummingbird

/// The registrations of each user in the current minute.
actor RegistrationRate {
    private var minute = 0
    private var counts: [String: Int] = [:]

    /// Counts a registration, and throws status 429 if the user has sent too many.
    func count(_ user: String, at now: Date) throws(HTTPError) {
        let seconds = Int(now.timeIntervalSince1970)
        if minute != seconds / 60 {
            minute = seconds / 60
            counts = [:]
        }
        guard counts[user, default: 0] < Limits.registrationsPerMinute else {
            throw HTTPError(
                .tooManyRequests, headers: [.retryAfter: "\(60 - seconds % 60)"],
                message: "The user registers too often. Wait for 'Retry-After'.")
        }
        counts[user, default: 0] += 1
    }
}
