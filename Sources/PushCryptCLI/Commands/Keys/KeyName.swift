internal import PushCryptCore
internal import PushCryptKeyring

/// How a key is named on the command line: by its id, or the beginning of it, or of its `kid`.
enum KeyName {
    /// The key that is meant.
    static func find<Key: PrivateKey>(_ name: String, in ring: Keyring<Key>) throws(PushCryptError) -> KeyID {
        let found = ring.keys.filter { key in
            key.publicKey.thumbprint.description.hasPrefix(name) || key.publicKey.keyID.description == name
        }
        guard let key = found.first, !name.isEmpty else {
            throw PushCryptError(.unknownKey, "No key here has an id that begins so. 'pushcrypt keys list' shows them.")
        }
        guard found.count == 1 else {
            throw PushCryptError(.unknownKey, "More than one key here has an id that begins so. Give more of it.")
        }
        return key.publicKey.keyID
    }

    /// The one pending key, where no key is named.
    static func pending<Key: PrivateKey>(
        _ name: String?, in ring: Keyring<Key>
    ) throws(PushCryptError) -> KeyID {
        if let name { return try find(name, in: ring) }
        guard let only = ring.pending.first, ring.pending.count == 1 else {
            throw PushCryptError(
                .wrongKeyState,
                ring.pending.isEmpty
                    ? "No key is pending. Make one with 'pushcrypt keygen --pending'."
                    : "\(ring.pending.count) keys are pending. Name the one that is meant.")
        }
        return only.key.publicKey.keyID
    }
}
