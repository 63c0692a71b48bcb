public import PushCryptCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A keyring in a file of mode 0600.
///
/// Readers need no lock and always see one whole generation; changes take turns. A file that was protected by a passphrase
/// stays so.
public struct KeyringFile<Key: PrivateKey>: Sendable {
    /// Asked for the passphrase when one is needed.
    public typealias PassphraseSource = @Sendable () throws(PushCryptError) -> Passphrase

    private let file: SecretFile
    private let passphrase: PassphraseSource?
    private let protectsNewFiles: Bool

    /// Names a file.
    ///
    /// Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - path: the file; the folder must exist.
    ///   - passphrase: asked for the passphrase where the file is protected by one.
    ///   - protectsNewFiles: whether a file that is made is protected by that passphrase.
    public init(path: String, passphrase: PassphraseSource? = nil, protectsNewFiles: Bool = false) {
        file = SecretFile(path)
        self.passphrase = passphrase
        self.protectsNewFiles = protectsNewFiles
    }

    /// Where the file is.
    public var path: String { file.path }

    // MARK: Reading

    /// Reads the keyring.
    ///
    /// - Returns: the keyring.
    /// - Throws: ``PushCryptError`` with `fileNotFound`, `insecureFile`, `fileSystemError`, `passphraseRequired` or
    ///   `wrongPassphrase`, or what is wrong in the file.
    public func read() throws(PushCryptError) -> Keyring<Key> {
        try load().keyring
    }

    /// Reads the keyring, if there is a file.
    ///
    /// - Returns: the keyring; `nil` where there certainly is no such file. One that is there and cannot be read is an error:
    ///   taken for a missing one, it would be replaced by a new key.
    /// - Throws: ``PushCryptError`` as ``read()`` does, but for `fileNotFound`.
    public func readIfPresent() throws(PushCryptError) -> Keyring<Key>? {
        try loadIfPresent()?.keyring
    }

    // MARK: Changing

    /// Reads the keyring, or, where there is no file, makes one with one new key: what an app does whenever it starts.
    ///
    /// A file that is there and cannot be read is an error, and nothing is made.
    ///
    /// - Parameter now: the time to note for a new key.
    /// - Returns: the keyring.
    /// - Throws: ``PushCryptError`` as ``read()`` does.
    public func readOrCreate(at now: Date) throws(PushCryptError) -> Keyring<Key> {
        try file.withLock { () throws(PushCryptError) in
            if let keyring = try readIfPresent() { return keyring }
            return try make(at: now)
        }
    }

    /// Makes the file with one new key in it, or, where it exists, rotates: a new primary key, the old one retired.
    ///
    /// A file that exists and is no keyring of this kind is an error and stays as it is.
    ///
    /// - Parameter now: the time to note for new and retired keys.
    /// - Returns: the keyring as it now is.
    /// - Throws: ``PushCryptError`` as ``read()`` does; the file is then as it was.
    public func createOrRotate(at now: Date) throws(PushCryptError) -> Keyring<Key> {
        try file.withLock { () throws(PushCryptError) in
            guard var loaded = try loadIfPresent() else { return try make(at: now) }
            try loaded.keyring.rotate(at: now)
            return try replace(loaded)
        }
    }

    /// Changes the keyring while nobody else does.
    ///
    /// - Parameter change: changes it. Where it throws, or leaves it as it is, the file stays as it is.
    /// - Returns: the keyring as it now is in the file.
    /// - Throws: ``PushCryptError`` as ``read()`` does, and what `change` throws; the file is then as it was.
    @discardableResult
    public func change(
        _ change: (inout Keyring<Key>) throws(PushCryptError) -> Void
    ) throws(PushCryptError) -> Keyring<Key> {
        try file.withLock { () throws(PushCryptError) in
            var loaded = try load()
            let before = loaded.keyring
            try change(&loaded.keyring)
            return try store(loaded, after: before)
        }
    }

    /// Changes the keyring, or makes one, while nobody else does.
    ///
    /// - Parameter change: gets the keyring, or `nil` where there certainly is none, and leaves what is to be stored.
    /// - Returns: the keyring as it now is in the file; `nil` where there is none.
    /// - Throws: ``PushCryptError`` as ``read()`` does, and what `change` throws; the file is then as it was.
    @discardableResult
    public func updateOrCreate(
        _ change: (inout Keyring<Key>?) throws(PushCryptError) -> Void
    ) throws(PushCryptError) -> Keyring<Key>? {
        try file.withLock { () throws(PushCryptError) in
            let loaded = try loadIfPresent()
            var keyring = loaded?.keyring
            try change(&keyring)
            guard let keyring else { return nil }
            guard let loaded else { return try create(keyring) }
            return try store(Loaded(keyring: keyring, passphrase: loaded.passphrase), after: loaded.keyring)
        }
    }

    // MARK: The file

    /// A keyring, and the passphrase that it was read with.
    private struct Loaded {
        var keyring: Keyring<Key>
        let passphrase: Passphrase?
    }

    private func load() throws(PushCryptError) -> Loaded {
        try load(file.read())
    }

    private func load(_ contents: SecretBytes) throws(PushCryptError) -> Loaded {
        guard contents.read({ ProtectedKeyring.isProtected($0) }) else {
            return Loaded(
                keyring: try contents.read { (bytes) throws(PushCryptError) in try Keyring(parsing: bytes) },
                passphrase: nil)
        }
        let protected = try contents.read { (bytes) throws(PushCryptError) in try ProtectedKeyring(parsing: bytes) }
        let passphrase = try askForPassphrase()
        let text = try protected.open(with: passphrase)
        return Loaded(
            keyring: try text.read { (bytes) throws(PushCryptError) in try Keyring(parsing: bytes) },
            passphrase: passphrase)
    }

    private func loadIfPresent() throws(PushCryptError) -> Loaded? {
        let contents: SecretBytes
        do throws(PushCryptError) {
            contents = try file.read()
        } catch {
            if error.code == .fileNotFound { return nil }
            throw error
        }
        // A file with the passphrase that is missing says nothing about this one.
        return try load(contents)
    }

    private func make(at now: Date) throws(PushCryptError) -> Keyring<Key> {
        try create(Keyring<Key>(createdAt: now))
    }

    private func create(_ keyring: Keyring<Key>) throws(PushCryptError) -> Keyring<Key> {
        let (stored, contents) = try contents(of: keyring, protectsNewFiles ? try askForPassphrase() : nil)
        try file.create(contents)
        return stored
    }

    /// Stores what a change has made, if it has made anything.
    private func store(_ loaded: Loaded, after before: Keyring<Key>) throws(PushCryptError) -> Keyring<Key> {
        if loaded.keyring.hasSameContents(as: before) { return before }
        try loaded.keyring.validateReplacement(before)
        return try replace(loaded)
    }

    private func replace(_ loaded: Loaded) throws(PushCryptError) -> Keyring<Key> {
        let (stored, contents) = try contents(of: loaded.keyring, loaded.passphrase)
        try file.replace(contents)
        return stored
    }

    /// What a file gets, and the keyring as it reads from that.
    private func contents(
        of keyring: Keyring<Key>, _ passphrase: Passphrase?
    ) throws(PushCryptError) -> (stored: Keyring<Key>, contents: SecretBytes) {
        let (stored, text) = try keyring.exportToStore()
        guard let passphrase else { return (stored, text) }
        let protected = Array(try ProtectedKeyring(protecting: text, with: passphrase).contents.utf8)
        let contents = try SecretBytes(count: protected.count) { (bytes) throws(PushCryptError) in
            for index in protected.indices { bytes[index] = protected[index] }
        }
        return (stored, contents)
    }

    private func askForPassphrase() throws(PushCryptError) -> Passphrase {
        guard let passphrase else {
            throw PushCryptError(
                .passphraseRequired, "\(path) is protected by a passphrase, and none was given.")
        }
        return try passphrase()
    }
}
