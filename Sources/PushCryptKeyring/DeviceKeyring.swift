package import PushCryptCore

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
        self.generation = min(generation, ExactInteger.maximum)
        self.owner = owner
        watch = ElapsedTime(startingAt: clock)
    }

    /// Looks at the clock.
    ///
    /// Where it turns out that more time has passed than was counted, nobody knows whether it passed before a key was retired
    /// or after, nor what the clock was worth then. So the retirement moves along, and only time that was counted ends the
    /// key; unless the server has said when it was retired.
    ///
    /// - Parameters:
    ///   - clock: what the clock says.
    ///   - known: a time that has certainly passed.
    /// - Returns: the time that is believed.
    @discardableResult
    package mutating func look(at clock: Date, known: Date? = nil) -> Date {
        // A keyring that nobody has watched yet begins with what is noted in it: the clock may be years ahead.
        var watch = watch ?? ElapsedTime(clock: clock, believed: lastChange)
        let missed = watch.look(at: clock, known: known)
        self.watch = watch
        guard missed > 0 else { return watch.believed }
        retired = retired.map { entry in
            entry.isDateKnown
                ? entry
                : RetiredEntry(
                    key: entry.key, created: entry.created, retired: entry.retired.addingTimeInterval(missed))
        }
        return watch.believed
    }

    /// Puts a pending key into use that the server has confirmed.
    ///
    /// The old key's retirement is dated by the server, or else by the believed time. The clock itself says nothing here: it
    /// may stand where it stood when an empty battery stopped it.
    ///
    /// - Parameters:
    ///   - id: the pending key.
    ///   - clock: what the clock says.
    ///   - serverTime: the server's time, where it is known.
    /// - Throws: ``PushCryptError`` as ``promote(_:at:)``; the keyring is then unchanged.
    package mutating func promote(
        _ id: KeyID, confirmedAt clock: Date, serverTime: Date?
    ) throws(PushCryptError) {
        var changed = self
        let believed = changed.look(at: clock, known: serverTime)
        try changed.promote(id, dated: max(believed, serverTime ?? believed), isDateKnown: serverTime != nil)
        self = changed
    }

    /// Makes the generation greater than one that a server knows, where a device has got its keys back out of an old backup.
    ///
    /// - Parameter known: what the server knows.
    /// - Throws: ``PushCryptError`` with `malformedRegistration` where that cannot be; the keyring is then unchanged.
    package mutating func overtake(_ known: UInt64) throws(PushCryptError) {
        guard known >= generation else { return }
        // A number that is near the end would be the end of all rotation.
        guard known - generation < 1 << 32, known < ExactInteger.maximum else {
            throw PushCryptError(
                .malformedRegistration,
                "The server knows generation \(known), and the keyring has \(generation): that cannot be.")
        }
        generation = known + 1
    }

    /// Whether nothing has to be stored.
    package func hasSameContents(as other: Keyring) -> Bool {
        generation == other.generation && watch == other.watch && owner == other.owner && hasSameKeys(as: other)
            && retired.map(\.retired) == other.retired.map(\.retired)
    }

    /// Checks that it may be stored in the place of another: with other keys it needs a greater generation.
    ///
    /// - Parameter before: what is stored.
    /// - Throws: ``PushCryptError`` with `malformedKeyring`.
    package func validateReplacement(_ before: Keyring) throws(PushCryptError) {
        guard generation > before.generation || hasSameKeys(as: before) else {
            throw PushCryptError(
                .malformedKeyring, "A keyring with other keys needs a greater generation than \(before.generation).")
        }
    }

    /// Whether it has the same keys in the same states.
    func hasSameKeys(as other: Keyring) -> Bool {
        primary.key.publicKey == other.primary.key.publicKey
            && pending.map(\.key.publicKey) == other.pending.map(\.key.publicKey)
            && retired.map(\.key.publicKey) == other.retired.map(\.key.publicKey)
    }

    /// Gives the keyring to another device, or to one that goes by another name: a new primary key, all others retired.
    ///
    /// They are kept for as long as any retired key. It may be the same device after all, with pushes under way to it. Time is
    /// watched from now on, by this clock.
    ///
    /// - Parameters:
    ///   - owner: the installation that the keyring belongs to now.
    ///   - clock: what the clock says.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`; the keyring is then unchanged.
    package mutating func reset(for owner: String, at clock: Date) throws(PushCryptError) {
        let fresh = Entry(key: try Key(), created: clock)
        retired =
            ([primary] + pending).map { RetiredEntry(key: $0.key, created: $0.created, retired: clock) }
            + retired.map { RetiredEntry(key: $0.key, created: $0.created, retired: clock) }
        primary = fresh
        pending = []
        watch = ElapsedTime(startingAt: clock)
        self.owner = owner
        generation = min(generation + 1, ExactInteger.maximum)
    }

    /// Makes a new pending key in the place of those that are pending, because the keys may have leaked.
    ///
    /// - Parameter clock: what the clock says.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `malformedKeyring`; the keyring is then unchanged.
    package mutating func renew(at clock: Date) throws(PushCryptError) {
        var changed = self
        let believed = changed.look(at: clock)
        for entry in pending { try changed.retire(entry.key.publicKey.keyID, dated: believed) }
        try changed.prepare(dated: believed)
        self = changed
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
        let due = retired.filter { $0.expiration <= now }
        guard !due.isEmpty else { return [] }
        let next = try nextGeneration()
        retired.removeAll { $0.expiration <= now }
        generation = next
        return due
    }
}
