public import PushCryptCore
public import PushCryptKeyring

/// A device's keyring in the keychain, as one item that the app and its extension share.
///
/// The item is readable after the first unlock and stays on this device. The store reads the keychain for every call, so
/// that it sees a rotation by the other process at once. It never replaces an item that it can't read.
///
/// A process could die with a lock, so the store doesn't use one. Each write names the random revision that was read and
/// stores a new one. If the other process was faster, the write fails and the update runs again on the new keyring.
public struct KeychainStore: KeyringStore {
    /// The number of tries.
    ///
    /// Each failed one means that another process succeeded, so the limit only stops a broken keychain.
    static let attempts = 100

    private static let accessible = KeychainAccessibility.afterFirstUnlockThisDeviceOnly

    private let keychain: any Keychain
    private let key: KeychainItemKey

    /// Creates a store for an item of a keychain, without reading it.
    package init(
        _ keychain: any Keychain, accessGroup: String, service: String = "pushcrypt", account: String = "device-keyring"
    ) {
        self.keychain = keychain
        key = KeychainItemKey(service: service, account: account, accessGroup: accessGroup)
    }

    /// Returns the keyring; `nil` only if the item doesn't exist.
    ///
    /// - Throws: ``PushCryptError`` with `deviceLocked`, `missingEntitlement`, `keyUnreadable`, or the code for an invalid
    ///   keyring.
    public func keyring() throws(PushCryptError) -> Keyring<RecipientPrivateKey>? {
        try read()?.keyring
    }

    /// Updates the keyring, or creates it.
    ///
    /// An item with another protection class is moved to the right one, even if the keyring doesn't change.
    ///
    /// - Throws: ``PushCryptError`` as ``keyring()`` does, or what `change` throws. The stored keyring is then unchanged,
    ///   unless the keychain failed after a write.
    public func update(
        _ change: (inout Keyring<RecipientPrivateKey>?) throws(PushCryptError) -> Void
    ) throws(PushCryptError) {
        for _ in 0..<Self.attempts {
            if let found = try read() {
                if try replace(found, change) { return }
            } else if try create(change) {
                return
            }
        }
        throw PushCryptError(
            .keyUnreadable,
            "Another process changed the keyring in the keychain in each of \(Self.attempts) attempts. Try again later."
        )
    }

    /// Deletes the keyring with all its keys; ``DeviceRegistrar/removeAccount(recordingIn:)`` also deletes its registration.
    ///
    /// - Throws: ``PushCryptError`` with `deviceLocked`, `missingEntitlement` or `keyUnreadable`; the keyring still exists
    ///   then.
    public func deleteKeyring() throws(PushCryptError) {
        let status = keychain.delete(key, having: nil)
        guard status == .success || status == .itemNotFound else { throw status.error(for: key) }
    }

    // MARK: The item

    /// The item as it was read.
    private struct Found {
        let keyring: Keyring<RecipientPrivateKey>
        let data: SecretBytes
        let revision: [UInt8]?
        let accessible: KeychainAccessibility?
    }

    private func item() throws(PushCryptError) -> KeychainItem? {
        let (status, item) = keychain.copyMatching(key)
        // Only this status means that the item doesn't exist. Any other must not lead to a new key.
        if status == .itemNotFound { return nil }
        guard status == .success else { throw status.error(for: key) }
        return item
    }

    private func read() throws(PushCryptError) -> Found? {
        guard let item = try item() else { return nil }
        guard let data = item.data, data.count > 0 else {
            throw PushCryptError(
                .keyUnreadable,
                "The keychain item \"\(key.account)\" of \"\(key.service)\" is empty. Delete it to create new keys.")
        }
        let revision = item.generic.flatMap { $0.isEmpty ? nil : $0 }
        return Found(keyring: try Self.parse(data), data: data, revision: revision, accessible: item.accessible)
    }

    private static func parse(_ data: SecretBytes) throws(PushCryptError) -> Keyring<RecipientPrivateKey> {
        try data.withSpan { (bytes) throws(PushCryptError) in try Keyring(parsing: bytes) }
    }

    /// Adds the item; returns `false` if the other process was faster.
    private func create(
        _ change: (inout Keyring<RecipientPrivateKey>?) throws(PushCryptError) -> Void
    ) throws(PushCryptError) -> Bool {
        var keyring: Keyring<RecipientPrivateKey>?
        try change(&keyring)
        guard let keyring else { return true }
        let (stored, data) = try keyring.exportToStore()
        let revision = try Self.newRevision()
        let status = keychain.add(key, KeychainItem(accessible: Self.accessible, generic: revision, data: data))
        if status == .duplicateItem { return false }
        guard status == .success else { throw status.error(for: key) }
        try verify(stored, data, revision, replacing: nil)
        return true
    }

    /// Writes the changed keyring; returns `false` if another process changed the item since it was read.
    private func replace(
        _ found: Found, _ change: (inout Keyring<RecipientPrivateKey>?) throws(PushCryptError) -> Void
    ) throws(PushCryptError) -> Bool {
        var keyring: Keyring<RecipientPrivateKey>? = found.keyring
        try change(&keyring)
        let changed = keyring ?? found.keyring
        let hasSameContents = changed.hasSameContents(as: found.keyring)
        if hasSameContents, found.accessible == Self.accessible { return true }
        guard let revision = found.revision else {
            try addRevision()
            return false
        }
        try changed.validateReplacement(found.keyring)
        let (stored, data) = hasSameContents ? (found.keyring, found.data) : try changed.exportToStore()
        let next = try Self.newRevision()
        let status = keychain.update(
            key, having: revision, to: KeychainItem(accessible: Self.accessible, generic: next, data: data))
        if status == .itemNotFound { return false }
        guard status == .success else { throw status.error(for: key) }
        try verify(stored, data, next, replacing: found)
        return true
    }

    /// Adds a revision to an item without one.
    ///
    /// Two processes may do this at once: neither writes a keyring before it has read one together with a revision.
    private func addRevision() throws(PushCryptError) {
        let status = keychain.update(key, having: nil, to: KeychainItem(generic: try Self.newRevision()))
        guard status == .success || status == .itemNotFound else { throw status.error(for: key) }
    }

    /// Reads the written item back, and undoes the write if the item isn't there.
    private func verify(
        _ keyring: Keyring<RecipientPrivateKey>, _ data: SecretBytes, _ revision: [UInt8], replacing old: Found?
    ) throws(PushCryptError) {
        let item = try item()
        if let stored = item?.data {
            if stored.isEqual(to: data) { return }
            // Another process that changed it since has read it first.
            if item?.generic != revision, let later = try? Self.parse(stored), later.generation >= keyring.generation {
                return
            }
        }
        // The revision limits the undo to this write.
        if let old {
            _ = keychain.update(
                key, having: revision,
                to: KeychainItem(accessible: old.accessible, generic: old.revision, data: old.data))
        } else {
            _ = keychain.delete(key, having: revision)
        }
        throw PushCryptError(
            .keyUnreadable,
            "The keychain doesn't return what was stored in it, so the change was undone. Try again later.")
    }

    private static func newRevision() throws(PushCryptError) -> [UInt8] {
        var revision = [UInt8](repeating: 0, count: 16)
        try RandomBytes.fill(&revision, 0..<16)
        return revision
    }
}
