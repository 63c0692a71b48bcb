public import PushCryptCore
public import PushCryptFoundation

// The life of a key: pending, primary, retired, destroyed. Each step raises the generation by one
// or changes nothing.
//
// No step has a date before the last step. Otherwise a key that was retired by a slow clock would
// expire as soon as the clock is right.
extension Keyring {
    /// Creates a new primary key and retires the old one.
    ///
    /// ```swift
    /// func rotate(_ keyring: inout RecipientKeyring) throws -> RecipientPublicKey {
    ///     try keyring.rotate(at: SystemTime().now)
    ///     return keyring.primary.key.publicKey
    /// }
    /// ```
    ///
    /// For a server's signing keys, use ``addPendingKey(at:)`` and ``promote(_:at:)``: devices
    /// reject a key that they don't know.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `malformedKeyring`; the keyring is
    ///   then unchanged.
    public mutating func rotate(at now: Date) throws(PushCryptError) {
        let date = max(now, lastChange)
        let fresh = Entry(key: try Key(), created: date)
        generation = try nextGeneration()
        replacePrimary(with: fresh, at: date)
    }

    /// Creates a pending key; the primary key stays in use.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `malformedKeyring`; the keyring is
    ///   then unchanged.
    @discardableResult
    public mutating func addPendingKey(at now: Date) throws(PushCryptError) -> Entry {
        try addPendingKey(dated: max(now, lastChange))
    }

    /// Creates a pending key with a date, even if the date is before the last change.
    @discardableResult
    package mutating func addPendingKey(
        dated date: Date, lifetime: UInt64 = KeyLifetime.range.upperBound
    ) throws(PushCryptError) -> Entry {
        let fresh = Entry(key: try Key(), created: date, lifetimeSeconds: lifetime)
        generation = try nextGeneration()
        pending.append(fresh)
        return fresh
    }

    /// Promotes a pending key to primary key and retires the old one.
    ///
    /// - Throws: ``PushCryptError`` with `unknownKey`, `wrongKeyState` if the key isn't pending, or
    ///   `malformedKeyring`; the keyring is then unchanged.
    public mutating func promote(_ id: KeyID, at now: Date) throws(PushCryptError) {
        try promote(id, dated: max(now, lastChange), isDateKnown: false)
    }

    package mutating func promote(_ id: KeyID, dated date: Date, isDateKnown: Bool)
        throws(PushCryptError)
    {
        let entry = try removePending(id, toBe: "promoted. Name a pending key.")
        replacePrimary(with: entry, at: date, isDateKnown: isDateKnown)
    }

    /// Retires a pending key, which still opens messages that were sealed to it.
    ///
    /// - Throws: ``PushCryptError`` with `unknownKey`, `wrongKeyState` if the key isn't pending, or
    ///   `malformedKeyring`; the keyring is then unchanged.
    public mutating func retire(_ id: KeyID, at now: Date) throws(PushCryptError) {
        try retire(id, dated: max(now, lastChange))
    }

    package mutating func retire(_ id: KeyID, dated date: Date) throws(PushCryptError) {
        let entry = try removePending(
            id, toBe: "retired. Name a pending key; a new primary key retires the old one.")
        retire(entry, at: date)
    }

    /// Removes a pending key in the next generation.
    private mutating func removePending(_ id: KeyID, toBe step: String) throws(PushCryptError)
        -> Entry
    {
        guard let index = pending.firstIndex(where: { $0.id == id }) else {
            throw try wrongState(id, step)
        }
        generation = try nextGeneration()
        return pending.remove(at: index)
    }

    /// Destroys a retired key at once, expired or not, so that messages to it don't open.
    ///
    /// - Throws: ``PushCryptError`` with `unknownKey`, `wrongKeyState` if the key isn't retired, or
    ///   `malformedKeyring`; the keyring is then unchanged.
    public mutating func destroy(_ id: KeyID) throws(PushCryptError) {
        guard let index = retired.firstIndex(where: { $0.id == id }) else {
            throw try wrongState(id, "destroyed. Rotate first.")
        }
        generation = try nextGeneration()
        retired.remove(at: index)
        // A retired signing key may sign again for the devices of the destroyed one.
        for index in retired.indices { retired[index].unneeded = nil }
    }

    package func nextGeneration() throws(PushCryptError) -> UInt64 {
        guard generation < JSONDocument.maximumInteger else {
            throw PushCryptError(
                .malformedKeyring,
                "The keyring's generation is \(generation) and cannot grow. Create a new keyring.")
        }
        return generation + 1
    }

    private mutating func replacePrimary(
        with entry: Entry, at date: Date, isDateKnown: Bool = false
    ) {
        retire(primary, at: date, isDateKnown: isDateKnown)
        primary = entry
    }

    private mutating func retire(_ entry: Entry, at date: Date, isDateKnown: Bool = false) {
        retired.insert(entry.retired(at: date, isDateKnown: isDateKnown), at: 0)
    }

    /// Returns the error for a key in a state that doesn't allow a step.
    private func wrongState(_ id: KeyID, _ step: String) throws(PushCryptError) -> PushCryptError {
        _ = try key(for: id)
        let state =
            primary.id == id ? "primary" : pending.contains { $0.id == id } ? "pending" : "retired"
        return PushCryptError(.wrongKeyState, "The key \(id) is \(state) and cannot be \(step)")
    }

    // MARK: Expired keys

    /// Returns the retired keys that have expired by a clock that can be trusted.
    ///
    /// - Throws: ``PushCryptError`` with `implausibleClock` if the clock is 48 hours or more before
    ///   the keyring's last change, or two years or more after it.
    public func expiredKeys(at now: Date) throws(PushCryptError) -> [RetiredEntry] {
        try checkClock(now)
        return retired.filter { $0.expiration <= now }
    }

    package mutating func destroyKeys(_ isExpired: (RetiredEntry) -> Bool) throws(PushCryptError)
        -> [RetiredEntry]
    {
        let expired = retired.filter(isExpired)
        guard !expired.isEmpty else { return [] }
        generation = try nextGeneration()
        retired.removeAll(where: isExpired)
        return expired
    }

    /// The latest date in the keyring.
    package var lastChange: Date {
        let dates =
            [primary.created] + pending.map(\.created)
            + retired.flatMap { [$0.created, $0.retired] }
        return dates.reduce(primary.created, max)
    }

    /// Throws if the clock is probably wrong: 48 hours or more before the keyring's last change, or
    /// two years or more after it.
    package func checkClock(_ now: Date) throws(PushCryptError) {
        try checkClockIsNotEarly(now)
        guard now < lastChange.addingTimeInterval(2 * 365 * 24 * 3600) else {
            throw PushCryptError(
                .implausibleClock,
                """
                The clock is more than two years later than the keyring's last change. Correct it, \
                or add a new key first.
                """)
        }
    }

    /// Throws if the clock is probably wrong: 48 hours or more before the keyring's last change.
    ///
    /// That is enough for a new pending key. With a clock that is ahead, it's only promoted late.
    package func checkClockIsNotEarly(_ now: Date) throws(PushCryptError) {
        guard now > lastChange.addingTimeInterval(-KeyLifetime.clockTolerance) else {
            throw PushCryptError(
                .implausibleClock,
                """
                The clock is earlier than the keyring's last change. Correct it, or name the keys \
                explicitly.
                """)
        }
    }
}

extension Keyring where Key == RecipientPrivateKey {
    /// Destroys the retired keys that have expired.
    ///
    /// - Parameter now: The current time of a clock that can be trusted.
    /// - Returns: The removed keys, whose memory is wiped with the last reference to them; if there
    ///   are none, the keyring is unchanged.
    /// - Throws: ``PushCryptError`` with `implausibleClock` or `malformedKeyring`; the keyring is
    ///   then unchanged.
    @discardableResult
    public mutating func prune(at now: Date) throws(PushCryptError) -> [RetiredEntry] {
        try checkClock(now)
        return try destroyKeys { $0.expiration <= now }
    }
}
