package import PushCryptCore
internal import PushCryptSystem

/// A file with a keyring of one kind, its lock and its passphrase.
package struct KeyringStorage<Contents: StoredKeyring>: Sendable {
    private let file: SecretFile
    let isMounted: Bool
    let passphrase: (@Sendable () throws(PushCryptError) -> Passphrase)?
    let protectsNewFiles: Bool

    package init(
        path: String, isMounted: Bool = false,
        passphrase: (@Sendable () throws(PushCryptError) -> Passphrase)? = nil,
        protectsNewFiles: Bool = false
    ) {
        file = SecretFile(path)
        self.isMounted = isMounted
        self.passphrase = passphrase
        self.protectsNewFiles = protectsNewFiles
    }

    var path: String { file.path }

    /// Reads the keyring.
    func read() throws(PushCryptError) -> Contents {
        try load(file.read(isPrivate: !isMounted)).keyring
    }

    /// Reads the keyring, or returns `nil` if the file doesn't exist; an unreadable file is an
    /// error.
    package func readIfPresent() throws(PushCryptError) -> Contents? {
        try file.readIfPresent(isPrivate: !isMounted).map(load)?.keyring
    }

    /// Changes the keyring while the file is locked, or creates it from `nil`.
    ///
    /// - Parameter change: The change. If it throws or changes nothing, the file isn't written.
    /// - Returns: The stored keyring; `nil` if the change leaves none.
    /// - Throws: ``PushCryptError`` as ``read()`` does, or the error of `change`; the file is then
    ///   unchanged.
    @discardableResult
    package func updateOrCreate(
        _ change: (inout Contents?) throws(PushCryptError) -> Void
    ) throws(PushCryptError) -> Contents? {
        try withLock { () throws(PushCryptError) in
            let loaded = try file.readIfPresent().map(load)
            var keyring = loaded?.keyring
            try change(&keyring)
            guard let keyring else { return nil }
            guard let loaded else {
                return try store(
                    keyring, protectsNewFiles ? requirePassphrase() : nil, with: file.create)
            }
            if keyring.hasSameContents(as: loaded.keyring) { return loaded.keyring }
            try KeyringMembers.check(loaded.unknownMembers)
            try keyring.validateReplacement(loaded.keyring)
            return try store(keyring, loaded.passphrase, with: file.replace)
        }
    }

    /// Adds, changes or removes (`nil`) the passphrase of the file.
    func setPassphrase(_ new: Passphrase?) throws(PushCryptError) {
        try withLock { () throws(PushCryptError) in
            let loaded = try load(file.read(isPrivate: !isMounted))
            try KeyringMembers.check(loaded.unknownMembers)
            _ = try store(loaded.keyring, new, with: file.replace)
        }
    }

    /// Deletes the file if it exists.
    package func delete() throws(PushCryptError) { try file.delete() }

    private func withLock<Result>(_ body: () throws(PushCryptError) -> Result)
        throws(PushCryptError) -> Result
    {
        guard !isMounted else {
            throw PushCryptError(
                .fileSystemError, "\(path) is a mounted secret. Change its source.")
        }
        return try file.withLock(body)
    }

    // MARK: Contents

    /// A keyring, and the passphrase that opened it.
    private struct Loaded {
        let keyring: Contents
        let passphrase: Passphrase?
        /// The unknown members of the passphrase protection.
        let unknownMembers: [String]
    }

    private func load(_ contents: SecretBytes) throws(PushCryptError) -> Loaded {
        var used: Passphrase?
        let keyring = try Contents(parsing: contents) { () throws(PushCryptError) in
            let passphrase = try requirePassphrase()
            used = passphrase
            return passphrase
        }
        let unknown = try contents.withSpan { (bytes) throws(PushCryptError) in
            used == nil ? [] : try ProtectedKeyring(parsing: bytes).unknownMembers
        }
        return Loaded(keyring: keyring, passphrase: used, unknownMembers: unknown)
    }

    /// Writes the file, and returns the keyring that its contents parse to.
    private func store(
        _ keyring: Contents, _ passphrase: Passphrase?,
        with write: (SecretBytes) throws(PushCryptError) -> Void
    ) throws(PushCryptError) -> Contents {
        var (stored, contents) = try keyring.exportToStore()
        if let passphrase {
            let protected = Array(
                try ProtectedKeyring(protecting: contents, with: passphrase).contents.utf8)
            contents = try SecretBytes(copying: protected.span)
        }
        try write(contents)
        return stored
    }

    private func requirePassphrase() throws(PushCryptError) -> Passphrase {
        guard let passphrase else {
            throw PushCryptError(
                .passphraseRequired, "\(path) is protected by a passphrase. Supply the passphrase.")
        }
        return try passphrase()
    }
}
