public import PushCryptCore
public import PushCryptFoundation

// The life of a server's signing key. A retired key goes on signing for the devices that know no newer one.
extension Keyring where Key == SigningKey {
    /// The keys that sign, in the order in which a sealer prefers them: the primary key, and retired keys, the newest
    /// first.
    public var signers: [Signer] { signingKeys.map { Signer($0) } }

    private var signingKeys: [SigningKey] {
        // A keyring that another program wrote may have another order.
        let newestFirst = retired.enumerated().sorted {
            ($1.element.retired, $0.offset) < ($0.element.retired, $1.offset)
        }
        return [primary.key] + newestFirst.map(\.element.key)
    }

    /// The first key of the keyring, which is never pruned: apps may pin it as their root.
    public var firstKey: SigningKey {
        // Of keys of the same second, the one that was retired first.
        let entries = pending + [primary] + retired.map(\.entry)
        return entries.reduce(primary) { $1.created <= $0.created ? $1 : $0 }.key
    }

    /// Returns the retired keys that no device needs: each device accepts the primary key or a newer retired key.
    ///
    /// - Parameter recipients: The accepted keys of all registered devices; `nil` for a device that doesn't tell them.
    ///   The sealer signs for it with the primary key, so it needs no retired one.
    /// - Returns: The keys, the newest first, without the keyring's first key.
    public func unneededKeys(by recipients: some Sequence<AcceptedSigners?>) -> [RetiredEntry] {
        var needed: Set<String> = [firstKey.publicKey.kid]
        let publicKeys = signingKeys.map(\.publicKey)
        for case let recipient? in recipients {
            if let key = publicKeys.first(where: { recipient.contains($0) }) { needed.insert(key.kid) }
        }
        return retired.filter { !needed.contains($0.key.publicKey.kid) }
    }

    /// Destroys the retired keys that no device has needed for 30 days and 48 hours, the time of the last messages.
    ///
    /// The keyring remembers since when a key isn't needed, so call the method regularly. After a key is revoked, this
    /// time begins again, because an older key may sign for its devices.
    ///
    /// - Parameters:
    ///   - now: The current time of a clock that can be trusted.
    ///   - recipients: The accepted keys of **all** registered devices. A device that is left out may display
    ///     `(Encrypted)` from then on.
    /// - Returns: The removed keys.
    /// - Throws: ``PushCryptError`` with `implausibleClock` or `malformedKeyring`; the keyring is then unchanged.
    @discardableResult
    public mutating func prune(
        at now: Date, recipients: some Sequence<AcceptedSigners?>
    ) throws(PushCryptError) -> [RetiredEntry] {
        try checkClock(now)
        let unneeded = Set(unneededKeys(by: recipients).map(\.key.publicKey.kid))
        let now = Date(timeIntervalSince1970: TimeInterval(now.secondsSince1970))
        var marked = retired
        for index in marked.indices {
            let isUnneeded = unneeded.contains(marked[index].key.publicKey.kid)
            marked[index].unneeded = isUnneeded ? marked[index].unneeded ?? now : nil
        }
        let period = TimeInterval(KeyLifetime.range.upperBound) + KeyLifetime.clockTolerance
        let removed = marked.filter { $0.unneeded.map { $0 + period <= now } ?? false }
        if !removed.isEmpty { generation = try nextGeneration() }
        let kids = Set(removed.map(\.key.publicKey.kid))
        retired = marked.filter { !kids.contains($0.key.publicKey.kid) }
        return removed
    }

    /// Removes a leaked key in any state, so that it never signs again and no later list has it.
    ///
    /// If the key is the primary one, the oldest pending key replaces it, or else a new key.
    ///
    /// - Parameters:
    ///   - id: The ID of the key.
    ///   - now: The current time.
    ///   - known: The keys of the list that devices have. A pending key among them replaces the primary key first.
    /// - Returns: A Boolean value that indicates whether a new key was created, which no device knows yet.
    /// - Throws: ``PushCryptError`` with `unknownKey`, `sodiumUnavailable` or `malformedKeyring`; the keyring is then
    ///   unchanged.
    @discardableResult
    public mutating func revoke(
        _ id: KeyID, at now: Date, preferring known: [VerificationKey] = []
    ) throws(PushCryptError) -> Bool {
        _ = try key(for: id)
        var changed = self
        var isNew = false
        if changed.primary.key.publicKey.keyID == id {
            let keys = changed.pending.map(\.key.publicKey)
            if let next = (keys.first(where: known.contains) ?? keys.first)?.keyID {
                try changed.promote(next, at: now)
            } else {
                try changed.rotate(at: now)
                isNew = true
            }
        } else if changed.pending.contains(where: { $0.key.publicKey.keyID == id }) {
            try changed.retire(id, at: now)
        }
        try changed.destroy(id)
        self = changed
        return isNew
    }

    /// Replaces all keys by a new one, because the whole keyring has leaked.
    ///
    /// No device knows the new key yet.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `malformedKeyring`; the keyring is then unchanged.
    public mutating func replaceAll(at now: Date) throws(PushCryptError) {
        var changed = self
        for entry in changed.pending { try changed.retire(entry.key.publicKey.keyID, at: now) }
        try changed.rotate(at: now)
        for entry in changed.retired { try changed.destroy(entry.key.publicKey.keyID) }
        self = changed
    }
}
