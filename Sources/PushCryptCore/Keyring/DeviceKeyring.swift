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

    /// The time that is believed, after a look at the clock.
    ///
    /// - Parameters:
    ///   - clock: what the clock says.
    ///   - known: a time that has certainly passed.
    /// - Throws: ``PushCryptError`` with `malformedKeyring`; the keyring is then unchanged.
    package mutating func look(at clock: Date, known: Date? = nil) throws(PushCryptError) {
        let next = try nextGeneration()
        var watch = watch ?? ClockWatch(clock: clock, believed: max(clock, latestNote))
        watch.look(at: clock, known: known)
        self.watch = watch
        generation = next
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
