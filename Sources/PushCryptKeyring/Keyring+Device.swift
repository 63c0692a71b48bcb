package import PushCryptCore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// An estimate of the elapsed time on a device, whose user can set the clock and whose clock can restart at 1970.
///
/// Between two observations, the estimate grows by at most 24 hours and never shrinks: a clock that jumps ahead costs 24
/// hours once. The 48 hours in the lifetime of a key allow for two such jumps. A time from an authentic source can only move
/// the estimate forward.
package struct ElapsedTime: Sendable, Hashable {
    /// The time of the clock at the last observation.
    package internal(set) var clock: Date

    /// The estimated time at the last observation.
    package internal(set) var estimate: Date

    /// The maximum growth of the estimate between two observations, in seconds: 24 hours.
    package static let maximumStep: TimeInterval = 24 * 3600

    /// The largest difference between two clocks that are each off by up to 48 hours, in seconds.
    package static let tolerance: TimeInterval = 2 * KeyLifetime.clockTolerance

    /// Updates the estimate with the time of the clock, and with a passed time from an authentic source minus the tolerance.
    ///
    /// - Returns: the seconds by which the authentic time moved the estimate forward.
    @discardableResult
    package mutating func observe(_ now: Date, atLeast known: Date? = nil) -> TimeInterval {
        let step = now.timeIntervalSince(clock)
        let counted = estimate.addingTimeInterval(min(max(step, 0), Self.maximumStep))
        estimate = known.map { max(counted, $0.addingTimeInterval(-Self.tolerance)) } ?? counted
        clock = now
        return estimate.timeIntervalSince(counted)
    }
}

extension ElapsedTime {
    /// Begins with the time of the clock.
    package init(startingAt clock: Date) {
        self.init(clock: clock, estimate: clock)
    }
}

// Keyrings on a device: elapsed time instead of the clock, and an owner.
extension Keyring {
    /// Creates the keyring of an installation with one new key, and a generation above that of a replaced keyring.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    package init(observedFrom clock: Date, owner: String, generation: UInt64 = 1) throws(PushCryptError) {
        self.init(
            generation: min(generation, JSONDocument.maximumInteger), primary: Entry(key: try Key(), created: clock),
            elapsedTime: ElapsedTime(startingAt: clock), owner: owner)
    }

    /// Updates the estimate of the elapsed time.
    ///
    /// If more time has passed than was counted, it may have passed before or after the retirement of a key. So the
    /// retirement moves along, and only counted time ends the key. A retirement that a server dated does not move.
    ///
    /// - Returns: the estimated time.
    @discardableResult
    package mutating func observe(_ clock: Date, atLeast known: Date? = nil) -> Date {
        // The first estimate is the last change, because the clock may be years ahead.
        var elapsed = elapsedTime ?? ElapsedTime(clock: clock, estimate: lastChange)
        let missed = elapsed.observe(clock, atLeast: known)
        elapsedTime = elapsed
        guard missed > 0 else { return elapsed.estimate }
        retired = retired.map { entry in
            guard !entry.isDateKnown else { return entry }
            return Entry(key: entry.key, created: entry.created).retired(at: entry.retired.addingTimeInterval(missed))
        }
        return elapsed.estimate
    }

    /// Makes a pending key that the server has confirmed the primary key.
    ///
    /// The date of the retirement is the server's time or the estimate. The clock may be wrong, for example after an empty
    /// battery.
    ///
    /// - Throws: ``PushCryptError`` as ``promote(_:at:)`` does; the keyring is then unchanged.
    package mutating func promote(
        _ id: KeyID, confirmedAt clock: Date, serverTime: Date?
    ) throws(PushCryptError) {
        var changed = self
        let estimate = changed.observe(clock, atLeast: serverTime)
        try changed.promote(id, dated: max(estimate, serverTime ?? estimate), isDateKnown: serverTime != nil)
        self = changed
    }

    /// Raises the generation above a generation that the server knows, for keys from an old backup.
    ///
    /// - Throws: ``PushCryptError`` with `malformedRegistration` if the generation is not plausible; the keyring is then
    ///   unchanged.
    package mutating func advanceGeneration(beyond known: UInt64) throws(PushCryptError) {
        guard known >= generation else { return }
        // A generation near the maximum would prevent all rotations.
        guard known - generation < 1 << 32, known < JSONDocument.maximumInteger else {
            throw PushCryptError(
                .malformedRegistration,
                "The server's generation \(known) is not plausible after \(generation). Correct it on the server.")
        }
        generation = known + 1
    }

    /// Returns whether two keyrings are equal, so that nothing has to be stored.
    package func hasSameContents(as other: Keyring) -> Bool {
        generation == other.generation && elapsedTime == other.elapsedTime && owner == other.owner
            && hasSameKeys(as: other) && retired.map(\.retired) == other.retired.map(\.retired)
    }

    /// Checks that the keyring may replace a stored keyring: with other keys it needs a greater generation.
    ///
    /// - Throws: ``PushCryptError`` with `malformedKeyring`.
    package func validateReplacement(_ before: Keyring) throws(PushCryptError) {
        guard generation > before.generation || hasSameKeys(as: before) else {
            throw PushCryptError(
                .malformedKeyring,
                "Different keys need a greater generation than \(before.generation). Change the stored keyring instead."
            )
        }
    }

    private func hasSameKeys(as other: Keyring) -> Bool {
        keys.map(\.publicKey) == other.keys.map(\.publicKey) && pending.count == other.pending.count
    }

    /// Moves the keyring to another installation: creates a primary key, and retires all other keys from now on.
    ///
    /// The other keys are kept, because the device may be the same and messages may be on their way to it.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`; the keyring is then unchanged.
    package mutating func reset(for owner: String, at clock: Date) throws(PushCryptError) {
        let fresh = Entry(key: try Key(), created: clock)
        let old = [primary] + pending + retired.map { Entry(key: $0.key, created: $0.created) }
        self = Keyring(
            generation: min(generation + 1, JSONDocument.maximumInteger), primary: fresh,
            retired: old.map { $0.retired(at: clock) }, elapsedTime: ElapsedTime(startingAt: clock), owner: owner)
    }

    /// Replaces the pending keys with a new pending key, because the keys may have leaked.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `malformedKeyring`; the keyring is then unchanged.
    package mutating func renew(at clock: Date) throws(PushCryptError) {
        var changed = self
        let estimate = changed.observe(clock)
        for entry in pending { try changed.retire(entry.id, dated: estimate) }
        try changed.addPendingKey(dated: estimate)
        self = changed
    }

    /// Sets the installation that the keyring belongs to.
    package mutating func setOwner(_ owner: String) throws(PushCryptError) {
        let next = try nextGeneration()
        self.owner = owner
        generation = next
    }

    /// Destroys the keys that have expired by the estimate of the elapsed time.
    ///
    /// - Returns: the destroyed keys.
    @discardableResult
    package mutating func pruneByElapsedTime() throws(PushCryptError) -> [RetiredEntry] {
        guard let elapsedTime else { return [] }
        return try destroyKeys(expiredAt: elapsedTime.estimate)
    }
}
