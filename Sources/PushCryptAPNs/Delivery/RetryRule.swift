#if APNs
/// The rule that says whether a push is sent again, and after how long.
struct RetryRule: Sendable {
    /// The maximum number of attempts.
    ///
    /// The pauses between them add up to 15 seconds.
    static let maximumAttempts = 5
    /// The number of times that a push goes to another connection at once because it wasn't
    /// processed.
    ///
    /// After that, it counts as an attempt: a server could reject it for ever.
    static let maximumPasses = 5
    /// The longest pause in seconds that the client waits.
    ///
    /// The error reports a longer one to the caller.
    static let maximumPause = 30.0

    /// The seconds before the second attempt.
    let pause: Double

    /// Decides on the next attempt.
    ///
    /// - Parameters:
    ///   - attempts: The number of attempts so far.
    ///   - retryAfter: The seconds that APNs has named.
    ///   - chance: A number from 0.5 to 1, which spreads the attempts of many pushes.
    /// - Returns: The seconds before the next attempt; `nil` if none follows.
    func delay(afterAttempts attempts: Int, retryAfter: Double?, chance: Double) -> Double? {
        guard attempts < Self.maximumAttempts else { return nil }
        let delay = retryAfter ?? pause * Double(1 << max(0, attempts - 1)) * chance
        return delay <= Self.maximumPause ? delay : nil
    }
}
#endif
