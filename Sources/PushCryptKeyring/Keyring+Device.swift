package import PushCryptCore
package import PushCryptFoundation

extension Keyring {
    /// Creates the keyring of an installation with one new key, in a higher generation than a replaced keyring.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    package init(
        observedFrom clock: Date, owner: String, lifetime: UInt64 = KeyLifetime.range.upperBound, generation: UInt64 = 1
    ) throws(PushCryptError) {
        self.init(
            generation: min(generation, JSONDocument.maximumInteger),
            primary: Entry(key: try Key(), created: clock, lifetimeSeconds: lifetime),
            elapsedTime: ElapsedTime(startingAt: clock), owner: owner)
    }

    /// Updates the estimate of the elapsed time, and returns it.
    ///
    /// The clock may have missed time before a key was retired. The method shifts the retirement date by the missed
    /// time, unless the date is a server's. It corrects a date that is more than 48 hours in the future.
    @discardableResult
    package mutating func observe(_ clock: Date, answer: Date? = nil) -> Date {
        // The first estimate is the last change, because the clock may be years ahead.
        var elapsed = elapsedTime ?? ElapsedTime(startingAt: clock, estimate: lastChange)
        elapsed.mark(([primary] + pending).map { ($0.id, $0.created) } + retired.map { ($0.id, $0.retired) })
        let missed = elapsed.observe(clock, answer: answer)
        elapsedTime = elapsed
        // A key from the future, by a clock that was ahead, would never become old.
        primary.created = min(primary.created, elapsed.estimate)
        if missed != 0 {
            retired = retired.map { $0.corrected(by: missed, estimate: elapsed.estimate) }
        }
        return elapsed.estimate
    }

    /// Updates the estimate with the date of a server's answer, and promotes the key that the answer confirms.
    ///
    /// The date of the retirement is the server's date or the estimate. The method treats a server date that is more
    /// than 48 hours old as an estimate. Otherwise the next correct date would destroy the key too early. A key that
    /// isn't pending stays as it is.
    ///
    /// - Throws: ``PushCryptError`` with `unknownKey` or `malformedKeyring`; the keyring is then unchanged.
    package mutating func confirm(_ id: KeyID, at clock: Date, serverTime: Date?) throws(PushCryptError) {
        _ = try key(for: id)
        let isPending = pending.contains { $0.id == id }
        guard isPending || serverTime != nil else { return }
        var changed = self
        let estimate = changed.observe(clock, answer: serverTime)
        let earliest = (elapsedTime?.estimate ?? lastChange).addingTimeInterval(-KeyLifetime.clockTolerance)
        let isDateKnown = serverTime.map { $0 >= earliest } ?? false
        if isPending { try changed.promote(id, dated: estimate, isDateKnown: isDateKnown) }
        self = changed
    }

    /// The number of retired keys that a replacement of the keys keeps.
    ///
    /// A server, or an attacker who registers in the device's name, can cause replacements. Rotations alone retire at
    /// most one key per rotation age.
    package static var maximumRetired: Int { 64 }

    /// Follows the generation that the server knows.
    ///
    /// If it isn't lower than the keyring's, the keyring was restored from a backup, and its keys may be older than the
    /// server's. A new pending key replaces them, in the next generation. It is much lower after a reset of the server.
    ///
    /// - Throws: ``PushCryptError`` with `malformedRegistration` if the generation is too large, or
    ///   `sodiumUnavailable`; the keyring is then unchanged.
    package mutating func followGeneration(
        _ known: UInt64, at clock: Date, lifetime: UInt64
    ) throws(PushCryptError) {
        // A generation near the maximum would prevent all rotations.
        guard known < (1 << 53) - 2 * Registration.maximumGrowth else {
            throw PushCryptError(
                .malformedRegistration, "The server's generation \(known) is too large. Reset the device on the server."
            )
        }
        if known >= generation {
            try renew(at: clock, lifetime: lifetime)
            generation = known + 1
        } else if generation - known > Registration.maximumGrowth {
            generation = known + 1
        }
    }

    /// Returns a Boolean value that indicates whether two keyrings are equal, so that nothing has to be stored.
    package func hasSameContents(as other: Keyring) -> Bool {
        generation == other.generation && elapsedTime == other.elapsedTime && owner == other.owner
            && signerLists == other.signerLists && signers == other.signers
            && hasSameKeys(as: other) && primary.created == other.primary.created
            && retired.map(\.retired) == other.retired.map(\.retired)
            && retired.map(\.unneeded) == other.retired.map(\.unneeded)
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

    /// Moves the keyring to another installation: creates a primary key, and retires all other keys, which still open
    /// messages.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`; the keyring is then unchanged.
    package mutating func reset(for owner: String, at clock: Date, lifetime: UInt64) throws(PushCryptError) {
        let fresh = Entry(key: try Key(), created: clock, lifetimeSeconds: lifetime)
        let old = [primary] + pending + retired.map(\.entry)
        self = Keyring(
            generation: min(generation + 1, JSONDocument.maximumInteger), primary: fresh,
            retired: old.map { $0.retired(at: clock) }, elapsedTime: ElapsedTime(startingAt: clock), owner: owner,
            signerLists: signerLists, signers: signers)
    }

    /// Replaces the pending keys with a new pending key, because the keys may have leaked or be old.
    ///
    /// The newest 64 retired keys stay.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `malformedKeyring`; the keyring is then unchanged.
    package mutating func renew(at clock: Date, lifetime: UInt64) throws(PushCryptError) {
        var changed = self
        let estimate = changed.observe(clock)
        for entry in pending { try changed.retire(entry.id, dated: estimate) }
        changed.retired.removeLast(max(0, changed.retired.count - Self.maximumRetired))
        try changed.addPendingKey(dated: estimate, lifetime: lifetime)
        self = changed
    }

    /// Sets the accepted keys, in a new generation if they change: the server must not replace them by older ones.
    package mutating func setSigners(_ signers: AcceptedSigners?) throws(PushCryptError) {
        guard signers != self.signers else { return }
        generation = try nextGeneration()
        self.signers = signers
    }

    /// Stores a list of accepted keys, after the checks of section 13 of the format.
    ///
    /// - Throws: ``PushCryptError`` with the code of the first rule that the list breaks. The keyring stays as it is.
    package mutating func addSignerList(_ text: String, roots: SignerRoots, at now: Date) throws(PushCryptError) {
        signerLists = try roots.adding(text, to: signerLists, at: now)
    }

    /// Sets the installation that the keyring belongs to.
    package mutating func setOwner(_ owner: String) throws(PushCryptError) {
        generation = try nextGeneration()
        self.owner = owner
    }

    /// The age of the primary key by the elapsed time, in seconds; `nil` for a keyring without elapsed time.
    package var primaryAge: TimeInterval? { elapsedTime?.elapsed(since: primary.created, of: primary.id) }

    /// Destroys the keys that have expired by the elapsed time.
    @discardableResult
    package mutating func pruneByElapsedTime() throws(PushCryptError) -> [RetiredEntry] {
        guard let elapsedTime else { return [] }
        return try destroyKeys { key in
            elapsedTime.elapsed(since: key.retired, of: key.id) >= key.lifetime + KeyLifetime.clockTolerance
        }
    }
}

extension Keyring.RetiredEntry {
    /// Returns the key with a retirement date that is shifted by the time that the clock has missed.
    fileprivate func corrected(by missed: TimeInterval, estimate: Date) -> Self {
        var entry = self
        if !entry.isDateKnown { entry.retired.addTimeInterval(missed) }
        if entry.retired > estimate + KeyLifetime.clockTolerance {
            entry.retired = estimate
            entry.isDateKnown = false
        }
        return entry
    }
}
