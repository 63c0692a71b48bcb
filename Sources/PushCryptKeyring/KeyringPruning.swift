public import PushCryptCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Keys whose time is over.
extension Keyring {
    /// The retired keys that are due to be destroyed: 30 days and 48 hours after they were retired.
    ///
    /// - Parameter now: the time, which must be right: ``ElapsedTime`` is for clocks that nobody keeps.
    /// - Returns: the keys that are due.
    /// - Throws: ``PushCryptError`` with `implausibleClock` where the clock is behind what is noted in the keyring, or so far
    ///   ahead that it cannot be right: nothing is due by such a clock.
    public func due(at now: Date) throws(PushCryptError) -> [RetiredEntry] {
        try checkClock(now)
        return retired.filter { $0.expiration <= now }
    }

    /// Destroys the retired keys that are due.
    ///
    /// - Parameter now: the time.
    /// - Returns: the keys that are gone; where there is none, the keyring has not changed.
    /// - Throws: ``PushCryptError`` with `implausibleClock` or `malformedKeyring`; the keyring is then unchanged.
    @discardableResult
    public mutating func prune(at now: Date) throws(PushCryptError) -> [RetiredEntry] {
        let due = try due(at: now)
        guard !due.isEmpty else { return [] }
        let next = try nextGeneration()
        retired.removeAll { $0.expiration <= now }
        generation = next
        return due
    }

    /// The latest time that is noted in the keyring.
    var lastChange: Date {
        let times = [primary.created] + pending.map(\.created) + retired.flatMap { [$0.created, $0.retired] }
        return times.reduce(primary.created, max)
    }

    /// A clock that stands before the last change, by more than clocks differ, was set back; one that stands years after it
    /// was set wrong, or nobody has looked after the keyring, and nobody is hurt by looking once.
    package func checkClock(_ now: Date) throws(PushCryptError) {
        let note = lastChange
        guard now > note.addingTimeInterval(-48 * 3600) else {
            throw PushCryptError(
                .implausibleClock,
                """
                The clock stands before the keyring's last change, so nothing is done by it. Set it; or, if it is right and \
                was ahead then, name single keys: 'pushcrypt keys promote KEY', 'pushcrypt keys prune --leaked KEY'.
                """)
        }
        guard now < note.addingTimeInterval(Self.longestSilence) else {
            throw PushCryptError(
                .implausibleClock,
                """
                The clock stands more than two years after the keyring's last change. Nothing is done by it: if it is right, \
                rotate first.
                """)
        }
    }

    private static var longestSilence: TimeInterval { 2 * 365 * 24 * 3600 }
}
