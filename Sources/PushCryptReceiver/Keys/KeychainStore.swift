public import PushCryptCore
internal import PushCryptKeyring

/// A device's keyring in the keychain, as one item that the app and its extension share.
///
/// The item is readable after the first unlock and stays on this device. If two processes update
/// it, the second update runs again on the new keyring.
public struct KeychainStore: KeyringStore {
    /// The number of tries: a failed one means that another process succeeded, or that the keychain
    /// is broken.
    static let attempts = 100

    private static let accessible = KeychainAccessibility.afterFirstUnlockThisDeviceOnly

    private let keychain: any Keychain
    private let key: KeychainItemKey

    /// The reason for which each call throws, such as an invalid setting.
    package var failure: PushCryptError?

    /// Creates a store for an item of a keychain, without reading it.
    package init(
        _ keychain: any Keychain, accessGroup: String, service: String = "pushcrypt",
        account: String = "device-keyring"
    ) {
        self.keychain = keychain
        key = KeychainItemKey(service: service, account: account, accessGroup: accessGroup)
    }

    /// Returns the keyring; `nil` only if the item doesn't exist.
    ///
    /// - Throws: ``PushCryptError`` with `deviceLocked`, `missingEntitlement`, `keyUnreadable`, or
    ///   the code for an invalid keyring.
    public func keyring() throws(PushCryptError) -> DeviceKeyring? { try read()?.keyring }

    /// Updates the keyring, or creates it, and corrects the item's protection class.
    ///
    /// - Throws: ``PushCryptError`` as ``keyring()`` does, or what `change` throws. The stored
    ///   keyring is then unchanged, unless the keychain failed after a write.
    public func update(
        _ change: (inout DeviceKeyring?) throws(PushCryptError) -> Void
    ) throws(PushCryptError) {
        for _ in 0..<Self.attempts {
            if try write(change, to: read()) { return }
        }
        throw PushCryptError(
            .keyUnreadable,
            """
            Another process changed the keyring in the keychain in each of \(Self.attempts) \
            attempts. Try again later.
            """)
    }

    /// Deletes the keyring with all its keys; ``PushInbox/removeAccount(_:)`` also deletes its
    /// registration.
    ///
    /// - Throws: ``PushCryptError`` with `deviceLocked`, `missingEntitlement` or `keyUnreadable`.
    ///   In each case, the keyring still exists.
    public func deleteKeyring() throws(PushCryptError) {
        if let failure { throw failure }
        _ = try succeeded(keychain.delete(key, having: nil), unless: .itemNotFound)
    }

    // MARK: The item

    /// An item, and the keyring in it.
    private struct Found {
        let item: KeychainItem
        let data: SecretBytes
        let keyring: DeviceKeyring
    }

    private func item() throws(PushCryptError) -> KeychainItem? {
        if let failure { throw failure }
        let (status, item) = keychain.copyMatching(key)
        // Only this status means that the item doesn't exist. Any other must not lead to a new key.
        return try succeeded(status, unless: .itemNotFound) ? item : nil
    }

    /// Returns `false` for an expected status, and throws the error of any other failure.
    private func succeeded(
        _ status: KeychainStatus, unless expected: KeychainStatus
    ) throws(PushCryptError) -> Bool {
        if status == expected { return false }
        guard status == .success else { throw status.error(for: key) }
        return true
    }

    private func read() throws(PushCryptError) -> Found? {
        guard let item = try item() else { return nil }
        guard let data = item.data, data.count > 0 else {
            throw PushCryptError(
                .keyUnreadable,
                """
                The keychain item "\(key.account)" of "\(key.service)" is empty. Delete it to \
                create new keys.
                """)
        }
        return Found(item: item, data: data, keyring: try Self.parse(data))
    }

    private static func parse(_ data: SecretBytes) throws(PushCryptError) -> DeviceKeyring {
        try data.withSpan { (bytes) throws(PushCryptError) in try DeviceKeyring(parsing: bytes) }
    }

    /// Writes the changed keyring; returns `false` if another process was faster, or if the item
    /// must be read again.
    private func write(
        _ change: (inout DeviceKeyring?) throws(PushCryptError) -> Void, to found: Found?
    ) throws(PushCryptError) -> Bool {
        var keyring = found?.keyring
        try change(&keyring)
        guard var changed = keyring ?? found?.keyring else { return true }
        var item = KeychainItem(accessible: Self.accessible, data: found?.data)
        if let found, changed.hasSameContents(as: found.keyring) {
            if found.item.accessible == Self.accessible { return true }
        } else {
            if let found { try changed.validateReplacement(found.keyring) }
            let (stored, data) = try changed.exportToStore()
            changed = stored
            item.data = data
        }
        item.generic = try Self.newRevision()
        let old = found?.item
        if let old, old.generic?.isEmpty ?? true {
            // Two processes may do this at once: neither writes a keyring before it has read one
            // with a revision.
            let revision = KeychainItem(generic: item.generic)
            _ = try succeeded(
                keychain.update(key, having: nil, to: revision), unless: .itemNotFound)
            return false
        }
        let succeeded =
            try old == nil
            ? succeeded(keychain.add(key, item), unless: .duplicateItem)
            : succeeded(keychain.update(key, having: old?.generic, to: item), unless: .itemNotFound)
        if succeeded { try verify(changed, item, replacing: old) }
        return succeeded
    }

    /// Reads the written item back, and undoes the write if the item isn't there.
    private func verify(
        _ keyring: DeviceKeyring, _ written: KeychainItem, replacing old: KeychainItem?
    ) throws(PushCryptError) {
        let item = try item()
        if let stored = item?.data, let data = written.data {
            if stored.isEqual(to: data) { return }
            // Another process that changed it since has read it first.
            if item?.generic != written.generic, let later = try? Self.parse(stored),
                later.generation >= keyring.generation
            {
                return
            }
        }
        // The revision limits the undo to this write.
        if let old {
            _ = keychain.update(key, having: written.generic, to: old)
        } else {
            _ = keychain.delete(key, having: written.generic)
        }
        throw PushCryptError(
            .keyUnreadable,
            """
            The keychain doesn't return what was stored in it, so the change was undone. Try again \
            later.
            """)
    }

    private static func newRevision() throws(PushCryptError) -> [UInt8] {
        var revision = [UInt8](repeating: 0, count: 16)
        try RandomBytes.fill(&revision, 0..<16)
        return revision
    }
}
