#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A keyring in a file of mode 0600.
public struct KeyringFile<Key: PrivateKey>: Sendable {
    private let file: SecretFile

    /// Names a file.
    ///
    /// Nothing is opened yet.
    ///
    /// - Parameter path: the file; the folder must exist.
    public init(path: String) {
        file = SecretFile(path)
    }

    /// Where the file is.
    public var path: String { file.path }

    /// Reads the keyring.
    ///
    /// - Returns: the keyring.
    /// - Throws: ``PushCryptError`` with `fileNotFound`, `fileUnsafe` or `fileTrouble`, or what is wrong in the file.
    public func read() throws(PushCryptError) -> Keyring<Key> {
        try file.read().read { (bytes) throws(PushCryptError) in try Keyring(parsing: bytes) }
    }

    /// Reads the keyring, or, where there is no file, makes one with one new key: what an app does whenever it starts.
    ///
    /// A file that is there and cannot be read is an error, and nothing is made.
    ///
    /// - Parameter now: the time to note for a new key.
    /// - Returns: the keyring.
    /// - Throws: ``PushCryptError`` as ``read()`` does.
    public func readOrMake(at now: Date) throws(PushCryptError) -> Keyring<Key> {
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
    public func makeOrRotate(at now: Date) throws(PushCryptError) -> Keyring<Key> {
        try file.withLock { () throws(PushCryptError) in
            guard var keyring = try readIfPresent() else {
                return try make(at: now)
            }
            try keyring.rotate(at: now)
            try file.replace(keyring.exportWithPrivateKeys())
            return keyring
        }
    }

    private func make(at now: Date) throws(PushCryptError) -> Keyring<Key> {
        let keyring = try Keyring<Key>(createdAt: now)
        try file.create(keyring.exportWithPrivateKeys())
        return keyring
    }

    /// The keyring, or `nil` where there is no such file.
    ///
    /// A file that is there and cannot be read is an error: taken for a missing one, it would be replaced by a new key.
    private func readIfPresent() throws(PushCryptError) -> Keyring<Key>? {
        do throws(PushCryptError) {
            return try read()
        } catch {
            if error.code == .fileNotFound { return nil }
            throw error
        }
    }
}
