public import PushCryptCore
public import PushCryptKeyring

/// Keys that the process holds itself.
public struct InMemoryKeyStore: KeyStore {
    private let keys: [KeyID: RecipientPrivateKey]

    /// Makes a store of some keys.
    ///
    /// - Parameter keys: the keys, in any order.
    public init(_ keys: [RecipientPrivateKey]) {
        self.keys = Dictionary(keys.map { ($0.publicKey.keyID, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Makes a store of all keys of a keyring, retired and pending ones too.
    ///
    /// - Parameter keyring: the keyring.
    public init(_ keyring: Keyring<RecipientPrivateKey>) {
        self.init(keyring.keys)
    }

    /// Finds a key.
    ///
    /// - Parameter id: the id from the message's envelope.
    /// - Returns: the key with this id.
    /// - Throws: ``PushCryptError`` with `unknownKey`.
    public func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey {
        guard let key = keys[id] else {
            throw PushCryptError(
                .unknownKey,
                "No key here has the id \(id). The message was sealed to a key that this device no longer has.")
        }
        return key
    }
}
