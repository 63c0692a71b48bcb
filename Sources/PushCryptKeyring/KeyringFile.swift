public import PushCryptCore
public import PushCryptFoundation

/// A keyring in a file with mode 0600.
///
/// Reads need no lock. Changes lock the file, and keep its passphrase.
///
/// ```swift
/// func loadKeys(path: String) throws -> SigningKeyring {
///     try SigningKeyringFile(path: path).read()
/// }
/// ```
///
/// Use it by the names ``SigningKeyringFile`` and ``RecipientKeyringFile``.
///
/// A server reads the file that `pushcrypt keygen` has created. If it created a missing one, a
/// wrong path would give it a signing key that no device accepts.
public struct KeyringFile<Key: PrivateKey>: Sendable {
    private let storage: KeyringStorage<Keyring<Key>>

    /// Creates a description of a file without opening it.
    ///
    /// ```swift
    /// func open(path: String, passphrase: [UInt8]) throws -> SigningKeyring {
    ///     let passphrase = try Passphrase(passphrase)
    ///     return try SigningKeyringFile(path: path, passphrase: { passphrase }).read()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path of the file, in an existing directory.
    ///   - isMounted: A Boolean value that indicates whether the file is a mounted secret, which is
    ///     only read: a link, a file of another user, or one that others can read. Your platform
    ///     decides who can read and replace it.
    ///   - passphrase: The closure that supplies the passphrase of a protected file.
    ///   - protectsNewFiles: A Boolean value that indicates whether that passphrase protects new
    ///     files.
    public init(
        path: String, isMounted: Bool = false,
        passphrase: (@Sendable () throws(PushCryptError) -> Passphrase)? = nil,
        protectsNewFiles: Bool = false
    ) {
        storage = KeyringStorage(
            path: path, isMounted: isMounted, passphrase: passphrase,
            protectsNewFiles: protectsNewFiles)
    }

    /// The path of the file.
    package var path: String { storage.path }

    /// A Boolean value that indicates whether a passphrase protects new files.
    package var protectsNewFiles: Bool { storage.protectsNewFiles }

    // MARK: Reading

    /// Reads the keyring.
    ///
    /// - Throws: ``PushCryptError`` with `fileNotFound`, `insecureFile`, `fileSystemError`,
    ///   `passphraseRequired` or `wrongPassphrase`, or the error of an invalid keyring.
    public func read() throws(PushCryptError) -> Keyring<Key> {
        try storage.read()
    }

    /// Returns another file, such as a backup, with the same passphrase.
    package func file(at path: String) -> KeyringFile {
        KeyringFile(path: path, isMounted: storage.isMounted, passphrase: storage.passphrase)
    }

    /// Reads the keyring, or returns `nil` if the file doesn't exist; an unreadable file is an
    /// error.
    func readIfPresent() throws(PushCryptError) -> Keyring<Key>? {
        try storage.readIfPresent()
    }

    // MARK: Changing

    /// Reads the keyring, or creates the file with one new key if it doesn't exist.
    ///
    /// - Throws: ``PushCryptError`` as ``read()`` does; the file is then unchanged.
    public func readOrCreate(at now: Date) throws(PushCryptError) -> Keyring<Key> {
        try changing { (keyring) throws(PushCryptError) in
            if keyring == nil { keyring = try Keyring(createdAt: now) }
        }
    }

    /// Creates the file with one new key, or rotates the keyring, which must be missing if `isNew`.
    ///
    /// - Throws: ``PushCryptError`` as ``read()`` does, or `fileExists`; the file is then
    ///   unchanged.
    package func createOrRotate(at now: Date, isNew: Bool = false) throws(PushCryptError)
        -> Keyring<Key>
    {
        try changing { (keyring) throws(PushCryptError) in
            guard keyring != nil else {
                keyring = try Keyring(createdAt: now)
                return
            }
            guard !isNew else {
                throw PushCryptError(
                    .fileExists, "Another process has created it meanwhile. Nothing was changed.")
            }
            try keyring?.rotate(at: now)
        }
    }

    /// Changes the keyring while the file is locked.
    ///
    /// ```swift
    /// func addPendingKey(path: String) throws {
    ///     try SigningKeyringFile(path: path).update { (keyring) throws(PushCryptError) in
    ///         try keyring.addPendingKey(at: SystemTime().now)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter change: The change. If it throws or changes nothing, the file isn't written.
    /// - Returns: The stored keyring.
    /// - Throws: ``PushCryptError`` as ``read()`` does, or the error of `change`; the file is then
    ///   unchanged.
    @discardableResult
    public func update(
        _ change: (inout Keyring<Key>) throws(PushCryptError) -> Void
    ) throws(PushCryptError) -> Keyring<Key> {
        try changing { (keyring) throws(PushCryptError) in
            guard var changed = keyring else { return }
            try change(&changed)
            keyring = changed
        }
    }

    /// Changes the keyring or creates it, and throws `fileNotFound` if the change leaves none.
    private func changing(
        _ change: (inout Keyring<Key>?) throws(PushCryptError) -> Void
    ) throws(PushCryptError) -> Keyring<Key> {
        guard let keyring = try updateOrCreate(change) else {
            throw PushCryptError(.fileNotFound, "\(path) does not exist. Check the path.")
        }
        return keyring
    }

    /// Changes the keyring, or creates it from `nil`, as ``update(_:)`` does.
    @discardableResult
    func updateOrCreate(
        _ change: (inout Keyring<Key>?) throws(PushCryptError) -> Void
    ) throws(PushCryptError) -> Keyring<Key>? {
        try storage.updateOrCreate(change)
    }

    /// Adds, changes or removes (`nil`) the passphrase of the file, without a change of its keys or
    /// generation.
    ///
    /// - Throws: ``PushCryptError`` as ``read()`` does; the file is then unchanged.
    package func setPassphrase(_ new: Passphrase?) throws(PushCryptError) {
        try storage.setPassphrase(new)
    }
}
