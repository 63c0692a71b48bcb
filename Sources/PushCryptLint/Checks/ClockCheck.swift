internal import PushCryptFoundation
internal import PushCryptSender

/// The check of the sealer's clock, which gives each message its time of issue.
extension RuleCheck {
    /// The plausible times: from the start of 2024 to the end of 2099, UTC.
    private static let plausibleTimes =
        Date(timeIntervalSince1970: 1_704_067_200)..<Date(timeIntervalSince1970: 4_102_444_800)

    /// Checks the time at which a message would be issued.
    mutating func checkClock(_ now: Date) {
        if Self.plausibleTimes.contains(now) { return }
        report(.senderClock, at: Finding.Location(outside: "the clock"))
    }
}
