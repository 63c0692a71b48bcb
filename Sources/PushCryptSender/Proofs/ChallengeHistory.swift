public import PushCryptCore
public import PushCryptFoundation

/// The challenges that a server has sent to one device token in the last 24 hours, over all
/// accounts.
///
/// They are limited, because an attacker with a session can have them sent to any token: 20
/// challenges in 24 hours. At most 3 of them are visible, and one in an hour. A visible one above
/// the limit becomes a silent one, so that other accounts can't use up the challenges of the
/// device's owner.
///
/// ```swift
/// func isVisible(_ request: RegistrationRequest, in row: inout ChallengeHistory) throws -> Bool {
///     // Store the row before you send the challenge.
///     try row.record(wantsVisible: request.wantsVisibleChallenge)
/// }
/// ```
public struct ChallengeHistory: Sendable, Hashable, Codable {
    private var silent: [Date] = []
    private var visible: [Date] = []

    private static let day: TimeInterval = 24 * 3600
    private static let hour: TimeInterval = 3600
    private static let maximumCount = 20
    private static let maximumVisibleCount = 3

    /// Creates a history without challenges.
    public init() {}

    /// A Boolean value that indicates whether the history is empty at a time, so that its row can
    /// be deleted.
    ///
    /// - Parameter now: The time.
    /// - Returns: The Boolean value.
    public func isEmpty(at now: Date = Date()) -> Bool {
        recent(silent, now).isEmpty && recent(visible, now).isEmpty
    }

    /// Records a challenge, unless there were too many.
    ///
    /// - Parameters:
    ///   - wantsVisible: A Boolean value that indicates whether the device asks for a visible
    ///     challenge.
    ///   - now: The time.
    /// - Returns: A Boolean value that indicates whether the challenge may display a notification.
    /// - Throws: ``PushCryptError`` with `tooManyChallenges`. The history stays as it is.
    public mutating func record(wantsVisible: Bool, at now: Date = Date()) throws(PushCryptError)
        -> Bool
    {
        let silent = recent(silent, now)
        let visible = recent(visible, now)
        guard silent.count + visible.count < Self.maximumCount else { throw Self.tooMany }
        let isTooSoon = visible.contains { abs(now.timeIntervalSince($0)) < Self.hour }
        let isVisible = wantsVisible && visible.count < Self.maximumVisibleCount && !isTooSoon
        self.silent = isVisible ? silent : silent + [now]
        self.visible = isVisible ? visible + [now] : visible
        return isVisible
    }

    /// Returns the times within 24 hours, even of a clock that was set back.
    private func recent(_ dates: [Date], _ now: Date) -> [Date] {
        dates.filter { abs(now.timeIntervalSince($0)) < Self.day }
    }

    private static let tooMany = PushCryptError(
        .tooManyChallenges, "The device token got too many challenges. Register again later.")
}
