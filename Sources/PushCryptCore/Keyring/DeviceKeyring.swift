#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

// What a device's keyring needs beside: watched time, and whose it is.
extension Keyring {
    /// Makes a device's keyring with one new key.
    ///
    /// - Parameters:
    ///   - clock: what the device's clock says.
    ///   - owner: the installation that the keyring belongs to.
    ///   - generation: the first generation; above that of a keyring in whose place it comes.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    package init(watchedFrom clock: Date, owner: String, generation: UInt64 = 1) throws(PushCryptError) {
        try self.init(createdAt: clock)
        self.generation = generation
        self.owner = owner
        watch = ClockWatch(startingAt: clock)
    }

    /// Looks at the clock.
    ///
    /// Where a key was retired by a clock that turns out to have been ahead, its retirement is dated now, or it would
    /// outlive its time by as much.
    ///
    /// - Parameters:
    ///   - clock: what the clock says.
    ///   - known: a time that has certainly passed.
    /// - Returns: the time that is believed.
    @discardableResult
    package mutating func look(at clock: Date, known: Date? = nil) -> Date {
        var watch = watch ?? ClockWatch(clock: clock, believed: max(clock, latestNote))
        watch.look(at: clock, known: known)
        self.watch = watch
        let latest = max(clock, watch.believed)
        retired = retired.map { entry in
            entry.retired <= latest
                ? entry : RetiredEntry(key: entry.key, created: entry.created, retired: latest)
        }
        return watch.believed
    }

    /// Puts a pending key into use that the server has confirmed.
    ///
    /// The old key's retirement is dated as late as it can have been: when the device was off, the believed time is behind,
    /// and may catch up later.
    ///
    /// - Parameters:
    ///   - id: the pending key.
    ///   - clock: what the clock says.
    ///   - serverTime: the server's time, where it is known.
    /// - Throws: ``PushCryptError`` with `implausibleClock` where the clock was set back and nothing else tells the time, or
    ///   as ``promote(_:at:)``; the keyring is then unchanged.
    package mutating func promote(
        _ id: KeyID, confirmedAt clock: Date, serverTime: Date?
    ) throws(PushCryptError) {
        var changed = self
        let believed = changed.look(at: clock, known: serverTime)
        let isBehind = clock < believed.addingTimeInterval(-ClockWatch.tolerance)
        let latest = serverTime?.addingTimeInterval(ClockWatch.tolerance)
        if isBehind, latest == nil {
            throw PushCryptError(
                .implausibleClock,
                "The clock was set back, so a key cannot be retired by it. The new key stays pending: confirm it again."
            )
        }
        let now = isBehind ? latest ?? clock : min(clock, latest ?? clock)
        try changed.promote(id, at: max(believed, now))
        self = changed
    }

    /// Makes the generation greater than one that a server knows, where a device has got its keys back out of an old backup.
    ///
    /// - Parameter known: what the server knows.
    /// - Throws: ``PushCryptError`` with `malformedRegistration` where that cannot be; the keyring is then unchanged.
    package mutating func overtake(_ known: UInt64) throws(PushCryptError) {
        guard known >= generation else { return }
        // A number that is near the end would be the end of all rotation.
        guard known - generation < 1 << 32 else {
            throw PushCryptError(
                .malformedRegistration,
                "The server knows generation \(known), and the keyring has \(generation): that cannot be.")
        }
        generation = known + 1
    }

    /// Whether nothing has to be stored.
    package func isSame(as other: Keyring) -> Bool {
        generation == other.generation && watch == other.watch && owner == other.owner
            && retired.map(\.retired) == other.retired.map(\.retired)
    }

    /// Notes which installation the keyring belongs to.
    package mutating func belong(to owner: String) throws(PushCryptError) {
        let next = try nextGeneration()
        self.owner = owner
        generation = next
    }

    /// Destroys what is due by the watched time.
    ///
    /// - Returns: the keys that are gone.
    @discardableResult
    package mutating func pruneByWatchedTime() throws(PushCryptError) -> [RetiredEntry] {
        guard let now = watch?.believed else { return [] }
        let due = retired.filter { $0.opensUntil <= now }
        guard !due.isEmpty else { return [] }
        let next = try nextGeneration()
        retired.removeAll { $0.opensUntil <= now }
        generation = next
        return due
    }
}
