public import Foundation
public import PushCryptCore
internal import PushCryptKeyring

/// A ``KeyStore`` that holds a device's whole keyring and can update it.
///
/// The app and its extension use one store from two processes. An update must be exclusive and
/// atomic, and a keyring that can't be read now must never be reported as missing.
public protocol KeyringStore: KeyStore {
    /// Returns the keyring; `nil` only if it certainly doesn't exist.
    ///
    /// - Throws: An error if the keyring can't be read now.
    func keyring() throws -> DeviceKeyring?

    /// Updates the keyring exclusively.
    ///
    /// A store without a lock may call `change` again, on the keyring that another process has
    /// stored. Only the last call counts.
    ///
    /// - Parameter change: Gets the stored keyring, `nil` only if it certainly doesn't exist, and
    ///   leaves the keyring to store. If it throws, nothing is stored.
    /// - Throws: What `change` throws, or an error if the keyring can't be read or written. The
    ///   stored keyring is then unchanged.
    func update(_ change: (inout DeviceKeyring?) throws(PushCryptError) -> Void) throws

    /// Deletes the keyring with all its keys, if it exists.
    ///
    /// - Throws: An error if the keyring can't be deleted now.
    func deleteKeyring() throws
}

extension KeyringStore {
    /// Returns a key of the keyring in any state, or throws `unknownKey` or what ``keyring()``
    /// throws.
    public func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey {
        guard let keyring = try keyring() else {
            throw PushCryptError(
                .unknownKey,
                """
                The keyring doesn't exist yet, so no key has the ID \(id). Register the device \
                first.
                """)
        }
        return try keyring.keyring.key(for: id)
    }

    /// Returns the lists of accepted keys in the keyring, or throws what ``keyring()`` throws.
    public func signerLists() throws -> [String] { try keyring()?.signerLists ?? [] }

    /// Returns the time at which a key of the keyring was created; `nil` if the keyring can't be
    /// read or lacks the key.
    public func creationDate(ofKey id: KeyID) -> Date? {
        guard let keyring = try? keyring() else { return nil }
        return keyring.keyring.creationDate(of: id)
    }
}

/// A keyring file, which is read again for every message.
///
/// So a rotation by another process counts at once.
///
/// ```swift
/// let store = KeyringFileStore(path: "/var/lib/agent/keys.json")
/// ```
public struct KeyringFileStore: KeyringStore {
    private let file: KeyringStorage<DeviceKeyring>

    /// Creates a store without opening the file.
    ///
    /// - Parameter path: The path of the keyring file, which must have mode 0600.
    public init(path: String) { file = KeyringStorage(path: path) }

    /// Returns the keyring; `nil` if the file doesn't exist.
    ///
    /// - Throws: ``PushCryptError`` if the file can't be read.
    public func keyring() throws -> DeviceKeyring? { try file.readIfPresent() }

    /// Updates the file under its lock.
    ///
    /// - Throws: ``PushCryptError`` if the file can't be read or written, or what `change` throws.
    public func update(
        _ change: (inout DeviceKeyring?) throws(PushCryptError) -> Void
    ) throws {
        try file.updateOrCreate(change)
    }

    /// Deletes the file, or throws the code for a file that can't be deleted.
    public func deleteKeyring() throws { try file.delete() }
}
