internal import PushCryptSender

/// The name of a key on the command line: its ID, or the beginning of its `kid`.
enum KeyName {
    static func find<Key: PrivateKey>(_ name: String, in ring: Keyring<Key>) throws(PushCryptError)
        -> KeyID
    {
        let found = ring.keys.map(\.publicKey).filter {
            $0.kid.hasPrefix(name) || $0.keyID.description == name
        }
        guard let key = found.first, !name.isEmpty else {
            throw PushCryptError(
                .unknownKey, "No key matches the given ID. See 'pushcrypt keys list'.")
        }
        guard found.count == 1 else {
            throw PushCryptError(
                .unknownKey, "\(found.count) keys match the given ID. Give more letters of it.")
        }
        return key.keyID
    }

    /// Returns the named key, or else the only pending key.
    static func pending<Key: PrivateKey>(_ name: String?, in ring: Keyring<Key>)
        throws(PushCryptError) -> KeyID
    {
        if let name { return try find(name, in: ring) }
        guard let only = ring.pending.first else {
            throw PushCryptError(
                .wrongKeyState, "No key is pending. Create one with 'pushcrypt keygen --pending'.")
        }
        guard ring.pending.count == 1 else {
            throw PushCryptError(
                .wrongKeyState, "\(ring.pending.count) keys are pending. Name one of them.")
        }
        return only.key.publicKey.keyID
    }
}
