public import PushCryptCore
public import PushCryptKeyring

/// A device's keyring in the keychain, as one item that app and extension share.
///
/// The item is readable after the first unlock, stays on this device and is in no backup that goes to another. It is read
/// anew whenever it is asked for, so that a rotation by the other process is seen at once. What cannot be read is never
/// replaced.
///
/// There is no lock that a process could die with. Each write puts a new random revision into the item and names the one that
/// was read: where the other process was faster, nothing is written, and the change is made again on what is there now.
public struct KeychainStore: KeyringStore {
    /// A failed attempt means that another one has succeeded, so there is an end; this one is for a keychain that is broken.
    static let attempts = 100

    private static let accessible = KeychainAccessibility.afterFirstUnlockThisDeviceOnly

    private let keychain: any Keychain
    private let name: KeychainItemKey

    /// Names an item.
    ///
    /// Nothing is read yet.
    ///
    /// - Parameters:
    ///   - keychain: the keychain.
    ///   - accessGroup: the group that app and extension share, with the team's id in front, as in
    ///     `ABCDE12345.com.example.shared`. `$(AppIdentifierPrefix)` stands for that id in the file of entitlements, and
    ///     nowhere else.
    ///   - service: the item's service.
    ///   - account: the item's account; an app with several accounts has a keyring for each.
    public init(
        _ keychain: any Keychain, accessGroup: String, service: String = "pushcrypt", account: String = "device-keyring"
    ) {
        self.keychain = keychain
        name = KeychainItemKey(
            service: service, account: account, accessGroup: accessGroup, isSynchronizable: false,
            usesDataProtection: true)
    }

    // MARK: Reading

    /// Reads the keyring.
    ///
    /// - Returns: the keyring; `nil` where there certainly is no item.
    /// - Throws: ``PushCryptError`` with `deviceLocked`, `missingEntitlement` or `keyUnreadable`, or what is wrong with the
    ///   keyring.
    public func keyring() throws(PushCryptError) -> Keyring<RecipientPrivateKey>? {
        try read()?.keyring
    }

    /// Reads the keyring and finds a key, in whatever state it is.
    ///
    /// - Parameter id: the id from the message's envelope.
    /// - Returns: the key with this id.
    /// - Throws: ``PushCryptError`` with `unknownKey` where there is no such key, and as ``keyring()`` does.
    public func recipientKey(_ id: KeyID) throws(PushCryptError) -> RecipientPrivateKey {
        guard let keyring = try keyring() else {
            throw PushCryptError(
                .unknownKey,
                "There is no keyring in the keychain, so no key has the id \(id). The app makes one when it starts.")
        }
        return try keyring.key(id)
    }

    // MARK: Changing

    /// Changes the keyring, or makes one.
    ///
    /// An item that cannot be read while the device is locked is moved to the right class by this, also where the keyring
    /// stays as it is.
    ///
    /// - Parameter change: changes the keyring. Where the other process was faster, it is called again, on what is there then.
    /// - Throws: ``PushCryptError`` as ``keyring()`` does, and what `change` throws; what is stored is then as it was, unless
    ///   it is the reading back that has failed.
    public func change(
        _ change: (inout Keyring<RecipientPrivateKey>?) throws(PushCryptError) -> Void
    ) throws(PushCryptError) {
        for _ in 0..<Self.attempts {
            if let found = try read() {
                if try replace(found, change) { return }
            } else if try make(change) {
                return
            }
        }
        throw PushCryptError(
            .keyUnreadable,
            "The keyring in the keychain was changed by others in each of \(Self.attempts) attempts. Try again later.")
    }

    /// Deletes the keyring with all its keys: for signing out, and for nothing else.
    ///
    /// What is under way to the device opens nowhere any more, and cannot be opened later either. Tell the server before, so
    /// that it sends nothing more.
    ///
    /// - Throws: ``PushCryptError`` with `deviceLocked`, `missingEntitlement` or `keyUnreadable`; the keyring is there then.
    public func deleteKeyring() throws(PushCryptError) {
        let status = keychain.delete(name, having: nil)
        guard status == .success || status == .itemNotFound else { throw status.trouble(with: name) }
    }

    // MARK: The item

    /// The item as it was read.
    private struct Found {
        let keyring: Keyring<RecipientPrivateKey>
        let data: SecretBytes
        let revision: [UInt8]?
        let accessible: KeychainAccessibility?
    }

    private func contents() throws(PushCryptError) -> KeychainItem? {
        let (status, contents) = keychain.copyMatching(name)
        // The only status that says that there is nothing. Taken for it, any other would have a new key made.
        if status == .itemNotFound { return nil }
        guard status == .success else { throw status.trouble(with: name) }
        return contents
    }

    private func read() throws(PushCryptError) -> Found? {
        guard let contents = try contents() else { return nil }
        guard let data = contents.data, data.count > 0 else {
            throw PushCryptError(
                .keyUnreadable,
                "The keychain has the item \"\(name.account)\" of \"\(name.service)\", and no data in it. It stays as it is."
            )
        }
        let revision = contents.generic.flatMap { $0.isEmpty ? nil : $0 }
        return Found(
            keyring: try Self.parse(data), data: data, revision: revision, accessible: contents.accessible)
    }

    private static func parse(_ data: SecretBytes) throws(PushCryptError) -> Keyring<RecipientPrivateKey> {
        try data.read { (bytes) throws(PushCryptError) in try Keyring(parsing: bytes) }
    }

    /// Adds the item; `false` where the other process has.
    private func make(
        _ change: (inout Keyring<RecipientPrivateKey>?) throws(PushCryptError) -> Void
    ) throws(PushCryptError) -> Bool {
        var keyring: Keyring<RecipientPrivateKey>?
        try change(&keyring)
        guard let keyring else { return true }
        let (stored, data) = try keyring.exportToStore()
        let revision = try Self.newRevision()
        let status = keychain.add(
            name, KeychainItem(accessible: Self.accessible, generic: revision, data: data))
        if status == .duplicateItem { return false }
        guard status == .success else { throw status.trouble(with: name) }
        try confirm(stored, data, revision, insteadOf: nil)
        return true
    }

    /// Writes what has changed; `false` where somebody else has changed the item since it was read.
    private func replace(
        _ found: Found, _ change: (inout Keyring<RecipientPrivateKey>?) throws(PushCryptError) -> Void
    ) throws(PushCryptError) -> Bool {
        var keyring: Keyring<RecipientPrivateKey>? = found.keyring
        try change(&keyring)
        let changed = keyring ?? found.keyring
        let hasSameContents = changed.hasSameContents(as: found.keyring)
        if hasSameContents, found.accessible == Self.accessible { return true }
        guard let revision = found.revision else {
            try giveRevision()
            return false
        }
        try changed.validateReplacement(found.keyring)
        let (stored, data) = hasSameContents ? (found.keyring, found.data) : try changed.exportToStore()
        let next = try Self.newRevision()
        let status = keychain.update(
            name, having: revision,
            to: KeychainItem(accessible: Self.accessible, generic: next, data: data))
        if status == .itemNotFound { return false }
        guard status == .success else { throw status.trouble(with: name) }
        try confirm(stored, data, next, insteadOf: found)
        return true
    }

    /// Gives a revision to an item that has none, and changes nothing else in it.
    ///
    /// Whoever does so at the same time is not in the way: no keyring is written before it was read together with a revision.
    private func giveRevision() throws(PushCryptError) {
        let status = keychain.update(
            name, having: nil, to: KeychainItem(generic: try Self.newRevision()))
        guard status == .success || status == .itemNotFound else { throw status.trouble(with: name) }
    }

    /// Reads back what was written, and undoes it where it is not there.
    private func confirm(
        _ keyring: Keyring<RecipientPrivateKey>, _ data: SecretBytes, _ revision: [UInt8], insteadOf old: Found?
    ) throws(PushCryptError) {
        let contents = try contents()
        if let stored = contents?.data {
            if stored.isEqual(to: data) { return }
            // Whoever has changed it since has read it first.
            if contents?.generic != revision, let later = try? Self.parse(stored),
                later.generation >= keyring.generation
            {
                return
            }
        }
        // Only what was written here is undone.
        if let old {
            _ = keychain.update(
                name, having: revision,
                to: KeychainItem(accessible: old.accessible, generic: old.revision, data: old.data))
        } else {
            _ = keychain.delete(name, having: revision)
        }
        throw PushCryptError(
            .keyUnreadable,
            "The keychain does not return what was stored in it, so the change was undone. Try again later.")
    }

    private static func newRevision() throws(PushCryptError) -> [UInt8] {
        var revision = [UInt8](repeating: 0, count: 16)
        try RandomBytes.fill(&revision, 0..<16)
        return revision
    }
}
