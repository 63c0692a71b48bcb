public import PushCryptCore
internal import PushCryptKeyring

/// Keys in a keyring file, read anew for every message, so that a rotation by another process is seen at once.
public struct KeyringFileStore: KeyStore {
    let file: KeyringFile<RecipientPrivateKey>

    /// Makes a store of a file.
    ///
    /// Nothing is opened yet.
    ///
    /// - Parameter path: the keyring file, of mode 0600.
    public init(path: String) {
        file = KeyringFile(path: path)
    }

    /// Reads the file and finds a key.
    ///
    /// - Parameter id: the id from the message's envelope.
    /// - Returns: the key with this id.
    /// - Throws: ``PushCryptError`` with `unknownKey`, or why the file cannot be read.
    public func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey {
        try file.read().key(id)
    }
}
