public import PushCryptCore
public import PushCryptKeyring

/// Where a device keeps its whole keyring, and changes it: a ``KeyStore`` that can also be written.
///
/// The app and its extension use one store from two processes. What must hold: a change is exclusive and lands whole or not
/// at all, and what cannot be read now is never taken for missing.
public protocol KeyringStore: KeyStore {
    /// Reads the keyring.
    ///
    /// - Returns: the keyring; `nil` only where there certainly is none.
    /// - Throws: why it cannot be read now.
    func keyring() throws -> Keyring<RecipientPrivateKey>?

    /// Changes the keyring while nobody else does.
    ///
    /// A store without a lock may call `change` more than once: where another process was faster, on what that has stored.
    /// Only the last call counts.
    ///
    /// - Parameter change: gets the keyring as it is, `nil` only where there certainly is none, and leaves what is to be
    ///   stored. Where it throws, nothing is stored.
    /// - Throws: why it cannot be read or written, or what `change` throws; the stored keyring is then as it was.
    func change(_ change: (inout Keyring<RecipientPrivateKey>?) throws(PushCryptError) -> Void) throws
}

extension KeyringFileStore: KeyringStore {
    /// Reads the file.
    ///
    /// - Returns: the keyring; `nil` where there is no file.
    /// - Throws: ``PushCryptError`` with why the file cannot be read.
    public func keyring() throws -> Keyring<RecipientPrivateKey>? {
        try file.readIfPresent()
    }

    /// Changes the file, under its lock.
    ///
    /// - Parameter change: changes the keyring.
    /// - Throws: ``PushCryptError`` with why the file cannot be read or written, or what `change` throws.
    public func change(
        _ change: (inout Keyring<RecipientPrivateKey>?) throws(PushCryptError) -> Void
    ) throws {
        try file.updateOrCreate(change)
    }
}
