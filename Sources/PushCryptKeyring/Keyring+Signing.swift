public import PushCryptCore
public import PushCryptFoundation

// The life of a server's signing key. A retired key goes on signing for the devices that know no newer one.
extension Keyring where Key == SigningKey {
    /// The keys that sign, in the order in which a sealer prefers them: the primary key, and retired keys, the newest
    /// first.
    public var signers: [Signer] {
        ([primary.key] + retired.map(\.key)).map { Signer($0) }
    }

    /// Returns the retired keys that no device needs: each device accepts the primary key or a newer retired key.
    ///
    /// - Parameter recipients: The accepted keys of all registered devices; `nil` for a device that doesn't tell them.
    ///   The sealer signs for it with the primary key, so it needs no retired one.
    public func unneededKeys(by recipients: some Sequence<AcceptedSigners?>) -> [RetiredEntry] {
        var needed: Set<String> = []
        let publicKeys = ([primary.key] + retired.map(\.key)).map(\.publicKey)
        for case let recipient? in recipients {
            if let key = publicKeys.first(where: { recipient.contains($0) }) { needed.insert(key.kid) }
        }
        return retired.filter { !needed.contains($0.key.publicKey.kid) }
    }

    /// Destroys the retired keys that have expired and that no device needs.
    ///
    /// - Parameters:
    ///   - now: The current time of a clock that can be trusted.
    ///   - recipients: The accepted keys of **all** registered devices. A device that is left out may display
    ///     `(Encrypted)` from then on.
    /// - Returns: The removed keys; if there are none, the keyring is unchanged.
    /// - Throws: ``PushCryptError`` with `implausibleClock` or `malformedKeyring`; the keyring is then unchanged.
    @discardableResult
    public mutating func prune(
        at now: Date, recipients: some Sequence<AcceptedSigners?>
    ) throws(PushCryptError) -> [RetiredEntry] {
        let expired = Set(try expiredKeys(at: now).map(\.key.publicKey.kid))
        let removed = unneededKeys(by: recipients).filter { expired.contains($0.key.publicKey.kid) }
        guard !removed.isEmpty else { return [] }
        generation = try nextGeneration()
        let kids = Set(removed.map(\.key.publicKey.kid))
        retired.removeAll { kids.contains($0.key.publicKey.kid) }
        return removed
    }

    /// Removes a leaked key in any state, so that it never signs again and no later list has it.
    ///
    /// If the key is the primary one, the oldest pending key replaces it, or else a new key.
    ///
    /// - Returns: A Boolean value that indicates whether a new key was created, which no device knows yet.
    /// - Throws: ``PushCryptError`` with `unknownKey`, `sodiumUnavailable` or `malformedKeyring`; the keyring is then
    ///   unchanged.
    @discardableResult
    public mutating func revoke(_ id: KeyID, at now: Date) throws(PushCryptError) -> Bool {
        _ = try key(for: id)
        var changed = self
        var isNew = false
        if changed.primary.key.publicKey.keyID == id {
            if let next = changed.pending.first?.key.publicKey.keyID {
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
}
