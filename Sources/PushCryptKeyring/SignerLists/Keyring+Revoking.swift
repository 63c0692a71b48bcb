public import PushCryptCore
public import PushCryptFoundation

/// The effect of a revocation on a server's keyring.
public struct Revocation: Sendable, Hashable {
    /// A Boolean value that indicates whether the keyring was changed: an earlier, interrupted run
    /// may have done it.
    public let isChange: Bool

    /// The new primary key; `nil` if the primary key is the same as before.
    public let newPrimary: VerificationKey?

    /// A Boolean value that indicates whether devices with the last list accept the new primary
    /// key.
    ///
    /// It is `nil` if that isn't known, because no list was given. Until its next registration, a
    /// device that accepts no other key of the keyring gets a placeholder.
    public let isKnownToDevices: Bool?

    /// The revocation that an earlier run has done.
    static let repeated = Revocation(isChange: false, newPrimary: nil, isKnownToDevices: nil)
}

// A leaked key. The server changes its keyring first, and then announces a list without the key: a
// thief's messages are rejected by devices with the new list, and the server never signs with the
// key again.
extension Keyring where Key == SigningKey {
    /// Removes a leaked key in any state, so that it never signs again and no later list has it.
    ///
    /// If the key is the primary one, a pending key that devices know replaces it, or else the
    /// oldest pending key, or else a new key. An interrupted run can be repeated: if the last list
    /// has the key and the keyring doesn't, the keyring stays as it is.
    ///
    /// ```swift
    /// func revoke(
    ///     _ key: KeyID, in file: SigningKeyringFile, root: SigningKeyring, lists: SignerListFile
    /// ) throws {
    ///     let last = try lists.readIfPresent(roots: root.keys.map(\.publicKey))
    ///     try root.checkRoot(isNot: [key], after: last)
    ///     let ring = try file.update { (ring) throws(PushCryptError) in
    ///         try ring.revoke(key, at: SystemTime().now, after: last)
    ///     }
    ///     try lists.announce(by: root, at: SystemTime().now) { () throws(PushCryptError) in
    ///         ring.keys.map(\.publicKey)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: The ID of the key.
    ///   - now: The current time.
    ///   - last: The list that devices have; `nil` if it isn't known.
    /// - Returns: The effect.
    /// - Throws: ``PushCryptError`` with `unknownKey`, `sodiumUnavailable` or `malformedKeyring`;
    ///   the keyring is then unchanged.
    @discardableResult
    public mutating func revoke(
        _ id: KeyID, at now: Date, after last: SignerList? = nil
    ) throws(PushCryptError) -> Revocation {
        if (try? key(for: id)) == nil, last?.keys.contains(where: { $0.keyID == id }) == true {
            return .repeated
        }
        _ = try key(for: id)
        var changed = self
        var isNew = false
        if changed.primary.key.publicKey.keyID == id {
            if let next = changed.successor(after: last) {
                try changed.promote(next, at: now)
            } else {
                try changed.rotate(at: now)
                isNew = true
            }
        } else if changed.pending.contains(where: { $0.key.publicKey.keyID == id }) {
            try changed.retire(id, at: now)
        }
        try changed.destroy(id)
        return replace(with: changed, isNew: isNew, after: last)
    }

    /// Replaces all keys by a new one, because the whole keyring has leaked.
    ///
    /// No device knows the new key yet. An interrupted run can be repeated within a day, if the
    /// last list tells that the only key is the new one.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - last: The list that devices have; `nil` if it isn't known.
    /// - Returns: The effect.
    /// - Throws: ``PushCryptError`` with `riskyChange` if the only key is new, and no list tells
    ///   whether it has leaked, too; `sodiumUnavailable` or `malformedKeyring`. The keyring is then
    ///   unchanged.
    @discardableResult
    public mutating func revokeAll(
        at now: Date, after last: SignerList? = nil
    ) throws(PushCryptError) -> Revocation {
        if try isReplaced(before: last, at: now) { return .repeated }
        var changed = self
        for entry in changed.pending { try changed.retire(entry.key.publicKey.keyID, at: now) }
        try changed.rotate(at: now)
        for entry in changed.retired { try changed.destroy(entry.key.publicKey.keyID) }
        return replace(with: changed, isNew: true, after: last)
    }

    /// Throws if a leaked key is the root that signs the next list, whose thief can sign lists,
    /// too.
    ///
    /// - Parameters:
    ///   - leaked: The IDs of the leaked keys.
    ///   - last: The last list of the root; `nil` if it has none.
    /// - Throws: ``PushCryptError`` with `wrongKeyState`.
    public func checkRoot(
        isNot leaked: some Sequence<KeyID>, after last: SignerList?
    ) throws(PushCryptError) {
        let root = root(after: last).publicKey.keyID
        guard leaked.contains(root) else { return }
        throw PushCryptError(
            .wrongKeyState,
            """
            The key \(root) is the root itself, and its thief can sign lists. If the app pins an \
            offline root before it, revoke the key without this root, and sign the list with that \
            one. Otherwise ship an app that pins another root. Nothing was changed.
            """)
    }

    /// The pending key that replaces a leaked primary key: one that devices know, or else the
    /// oldest.
    private func successor(after last: SignerList?) -> KeyID? {
        let keys = pending.map(\.key.publicKey)
        return (keys.first { last?.keys.contains($0) == true } ?? keys.first)?.keyID
    }

    private mutating func replace(with changed: Keyring, isNew: Bool, after last: SignerList?)
        -> Revocation
    {
        let new = changed.primary.key.publicKey
        let isReplaced = new != primary.key.publicKey
        self = changed
        return Revocation(
            isChange: true, newPrimary: isReplaced ? new : nil,
            isKnownToDevices: !isReplaced ? nil : isNew ? false : last?.keys.contains(new))
    }

    /// Returns a Boolean value that indicates whether an interrupted run has replaced all keys, and
    /// has signed no list.
    ///
    /// - Throws: ``PushCryptError`` with `riskyChange` if the only key is new, and no list tells
    ///   whether it has leaked, too.
    private func isReplaced(before last: SignerList?, at now: Date) throws(PushCryptError) -> Bool {
        let isFresh = now.timeIntervalSince(primary.created) < 24 * 3600
        guard keys.count == 1, generation > 1, isFresh else { return false }
        let key = primary.key.publicKey
        if let last, !last.keys.contains(key) { return true }
        throw PushCryptError(
            .riskyChange,
            """
            The only key, \(key.keyID), is new: an earlier run has replaced the others. If it has \
            leaked, too, revoke it by this ID. Otherwise announce it. Nothing was changed.
            """)
    }
}
