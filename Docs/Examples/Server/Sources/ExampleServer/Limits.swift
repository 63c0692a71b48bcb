import Foundation

/// The limits of the server.
enum Limits {
    /// The devices of a user, and so of a message.
    ///
    /// One more replaces a device that hasn't renewed its registration for ``idleDevice``, or is
    /// refused: otherwise an attacker with the session could replace the user's devices by 20
    /// others.
    static let devices = 20
    /// The seconds after which another device may replace one; the app renews its registration
    /// weekly.
    static let idleDevice: TimeInterval = 9 * 24 * 3600
    /// The registrations of a user in a minute.
    static let registrationsPerMinute = 20
    /// The registrations from an address in a minute.
    static let registrationsPerAddress = 120
    /// The bytes in the body of a registration.
    static let registrationBody = 16_384
    /// The seconds for which a challenge can be answered, and APNs tries to deliver it.
    static let challengeLifetime: TimeInterval = 24 * 3600
    /// The bytes in the body of a message.
    static let messageBody = 65_536
    /// The pushes on their way at a time.
    static let sending = 100
    /// The seconds after which the outbox forgets a finished push, and a message ID could be used
    /// again.
    static let memory: TimeInterval = 30 * 24 * 3600
    /// The seconds after which a device without a renewed registration is deleted; the app renews
    /// it weekly.
    static let renewal: TimeInterval = 90 * 24 * 3600
    /// The rows that one transaction adds or deletes, so that posts needn't wait long.
    static let rows = 500
    /// The requests for registrations that become due in a second.
    static let requestsPerSecond: Double = 100
    /// The seconds for which APNs tries to deliver a request for a registration.
    static let requestLifetime: TimeInterval = 24 * 3600
}

/// The times of the services, which tests replace.
struct Timing: Sendable {
    /// The seconds before the second attempt.
    ///
    /// They double with each attempt.
    var retry: TimeInterval = 2
    /// The longest pause between two attempts, in seconds.
    var longestRetry: TimeInterval = 300
    /// The seconds for which a taken push belongs to its sender; the client gives up after 270.
    var lease: TimeInterval = 600
    /// The time between two looks into the outbox.
    var poll: Duration = .seconds(1)
    /// The time between two deletions of old rows.
    var tidying: Duration = .seconds(3600)
    var now: @Sendable () -> Date = { Date() }

    /// Returns the seconds before the next attempt.
    func delay(afterAttempts attempts: Int) -> TimeInterval {
        min(retry * pow(2, Double(min(attempts, 30) - 1)), longestRetry)
    }
}
