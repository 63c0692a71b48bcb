public import PushCryptCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A keyring in a file with mode 0600.
///
/// Reads need no lock and always see a complete generation. Changes lock the file. A file that is protected by a passphrase
/// stays protected.
///
/// ```swift
/// func loadKey(path: String) throws -> SigningKey {
///     let file = KeyringFile<SigningKey>(path: path)
///     return try file.readOrCreate(at: SystemTime().now).primary.key
/// }
/// ```
public struct KeyringFile<Key: PrivateKey>: Sendable {
    private let file: SecretFile
    private let isMounted: Bool
    private let passphrase: (@Sendable () throws(PushCryptError) -> Passphrase)?
    package let protectsNewFiles: Bool

    /// Creates a description of a file without opening it.
    ///
    /// ```swift
    /// func open(path: String, passphrase: [UInt8]) throws -> Keyring<SigningKey> {
    ///     let passphrase = try Passphrase(passphrase)
    ///     return try KeyringFile(path: path, passphrase: { passphrase }).read()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - path: the path of the file, in an existing directory.
    ///   - isMounted: whether the file is a mounted secret, which is only read: a link, a file of another user, or one that
    ///     others can read. Your platform then decides who can read and replace it.
    ///   - passphrase: the closure that supplies the passphrase of a protected file.
    ///   - protectsNewFiles: whether new files are protected by that passphrase.
    public init(
        path: String, isMounted: Bool = false, passphrase: (@Sendable () throws(PushCryptError) -> Passphrase)? = nil,
        protectsNewFiles: Bool = false
    ) {
        file = SecretFile(path)
        self.isMounted = isMounted
        self.passphrase = passphrase
        self.protectsNewFiles = protectsNewFiles
    }

    /// The path of the file.
    public var path: String { file.path }

    // MARK: Reading

    /// Reads the keyring.
    ///
    /// - Throws: ``PushCryptError`` with `fileNotFound`, `insecureFile`, `fileSystemError`, `passphraseRequired` or
    ///   `wrongPassphrase`, or the error of an invalid keyring.
    public func read() throws(PushCryptError) -> Keyring<Key> {
        try load().keyring
    }

    /// Reads the keyring, or returns `nil` if the file does not exist.
    ///
    /// An unreadable file is an error, so that no new key replaces it.
    package func readIfPresent() throws(PushCryptError) -> Keyring<Key>? {
        try loadIfPresent()?.keyring
    }

    // MARK: Changing

    /// Reads the keyring, or creates the file with one new key if it does not exist.
    ///
    /// An unreadable file is an error and stays unchanged.
    ///
    /// - Parameter now: the current time.
    /// - Returns: the stored keyring.
    /// - Throws: ``PushCryptError`` as ``read()`` does.
    public func readOrCreate(at now: Date) throws(PushCryptError) -> Keyring<Key> {
        try changing { (keyring) throws(PushCryptError) in
            if keyring == nil { keyring = try Keyring(createdAt: now) }
        }
    }

    /// Rotates the keyring, or creates the file with one new key if it does not exist.
    ///
    /// A file that is not a keyring of this type is an error and stays unchanged.
    ///
    /// - Parameter now: the current time.
    /// - Returns: the stored keyring.
    /// - Throws: ``PushCryptError`` as ``read()`` does; the file is then unchanged.
    public func createOrRotate(at now: Date) throws(PushCryptError) -> Keyring<Key> {
        try changing { (keyring) throws(PushCryptError) in
            if keyring == nil { keyring = try Keyring(createdAt: now) } else { try keyring?.rotate(at: now) }
        }
    }

    /// Changes the keyring while the file is locked.
    ///
    /// ```swift
    /// func destroyExpiredKeys(path: String) throws {
    ///     try KeyringFile<SigningKey>(path: path).update { (keyring) throws(PushCryptError) in
    ///         try keyring.prune(at: SystemTime().now)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter change: the change. If it throws or changes nothing, the file is not written.
    /// - Returns: the stored keyring.
    /// - Throws: ``PushCryptError`` as ``read()`` does, or the error of `change`; the file is then unchanged.
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

    /// Changes the keyring or creates it, and throws `fileNotFound` if it is then missing.
    private func changing(
        _ change: (inout Keyring<Key>?) throws(PushCryptError) -> Void
    ) throws(PushCryptError) -> Keyring<Key> {
        guard let keyring = try updateOrCreate(change) else {
            throw PushCryptError(.fileNotFound, "\(path) does not exist. Check the path.")
        }
        return keyring
    }

    /// Changes the keyring, or creates it from `nil`, while the file is locked.
    ///
    /// If the closure throws or changes nothing, the file is not written.
    @discardableResult
    package func updateOrCreate(
        _ change: (inout Keyring<Key>?) throws(PushCryptError) -> Void
    ) throws(PushCryptError) -> Keyring<Key>? {
        try withLock { () throws(PushCryptError) in
            let loaded = try loadIfPresent()
            var keyring = loaded?.keyring
            try change(&keyring)
            guard let keyring else { return nil }
            guard let loaded else { return try create(keyring) }
            if keyring.hasSameContents(as: loaded.keyring) { return loaded.keyring }
            try keyring.validateReplacement(loaded.keyring)
            return try replace(Loaded(keyring: keyring, passphrase: loaded.passphrase))
        }
    }

    /// Adds, changes or removes the passphrase of the file, without a change of its keys or generation.
    ///
    /// - Parameter new: The new passphrase, or `nil` to store the keyring without one.
    /// - Throws: ``PushCryptError`` as ``read()`` does; the file is then unchanged.
    package func setPassphrase(_ new: Passphrase?) throws(PushCryptError) {
        try withLock { () throws(PushCryptError) in
            _ = try replace(Loaded(keyring: try load().keyring, passphrase: new))
        }
    }

    private func withLock<Result>(_ body: () throws(PushCryptError) -> Result) throws(PushCryptError) -> Result {
        guard !isMounted else {
            throw PushCryptError(.fileSystemError, "\(path) is a mounted secret. Change its source.")
        }
        return try file.withLock(body)
    }

    // MARK: Contents

    /// A keyring, and the passphrase that opened it.
    private struct Loaded {
        var keyring: Keyring<Key>
        let passphrase: Passphrase?
    }

    private func load() throws(PushCryptError) -> Loaded {
        try load(readContents())
    }

    private func readContents() throws(PushCryptError) -> SecretBytes { try file.read(isPrivate: !isMounted) }

    private func load(_ contents: SecretBytes) throws(PushCryptError) -> Loaded {
        var used: Passphrase?
        let keyring = try Keyring<Key>(parsing: contents) { () throws(PushCryptError) in
            let passphrase = try requirePassphrase()
            used = passphrase
            return passphrase
        }
        return Loaded(keyring: keyring, passphrase: used)
    }

    private func loadIfPresent() throws(PushCryptError) -> Loaded? {
        let contents: SecretBytes
        do throws(PushCryptError) {
            contents = try readContents()
        } catch {
            if error.code == .fileNotFound { return nil }
            throw error
        }
        // Outside of `do`: the source of the passphrase may throw `fileNotFound`, too.
        return try load(contents)
    }

    private func create(_ keyring: Keyring<Key>) throws(PushCryptError) -> Keyring<Key> {
        let (stored, contents) = try contents(of: keyring, protectsNewFiles ? try requirePassphrase() : nil)
        try file.create(contents)
        return stored
    }

    private func replace(_ loaded: Loaded) throws(PushCryptError) -> Keyring<Key> {
        let (stored, contents) = try contents(of: loaded.keyring, loaded.passphrase)
        try file.replace(contents)
        return stored
    }

    /// Returns the contents of the file, and the keyring that they parse to.
    private func contents(
        of keyring: Keyring<Key>, _ passphrase: Passphrase?
    ) throws(PushCryptError) -> (stored: Keyring<Key>, contents: SecretBytes) {
        let (stored, text) = try keyring.exportToStore()
        guard let passphrase else { return (stored, text) }
        let protected = Array(try ProtectedKeyring(protecting: text, with: passphrase).contents.utf8)
        return (stored, try SecretBytes(copying: protected.span))
    }

    private func requirePassphrase() throws(PushCryptError) -> Passphrase {
        guard let passphrase else {
            throw PushCryptError(.passphraseRequired, "\(path) is protected by a passphrase. Supply the passphrase.")
        }
        return try passphrase()
    }
}
