#if canImport(Darwin)
internal import Clibsodium
#else
internal import CSodium
#endif

/// XChaCha20-Poly1305, which keeps a keyring under a passphrase's key
/// (https://doc.libsodium.org/secret-key_cryptography/aead/chacha20-poly1305/xchacha20-poly1305_construction).
package enum XChaCha20Poly1305 {
    /// How long a nonce is, in bytes: long enough to be random.
    package static let nonceLength = 24

    /// How many bytes longer the sealed text is.
    package static let overhead = 16

    /// Seals a secret.
    ///
    /// - Parameters:
    ///   - secret: what is sealed.
    ///   - associated: what is authenticated with it, and stays readable.
    ///   - nonce: 24 random bytes, used once.
    ///   - key: 32 bytes.
    /// - Returns: the sealed text, 16 bytes longer.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    package static func seal(
        _ secret: SecretBytes, associated: [UInt8], nonce: [UInt8], key: SecretBytes
    ) throws(PushCryptError) -> [UInt8] {
        try Sodium.ready()
        precondition(nonce.count == nonceLength && key.count == 32)
        let count = secret.count
        var sealed = [UInt8](repeating: 0, count: count + overhead)
        let room = sealed.indices
        _ = unsafe sealed.lendMutable(room) { sealed in
            unsafe secret.lend { secret in
                unsafe key.lend { key in
                    unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
                        sealed, nil, secret, UInt64(count), associated, UInt64(associated.count), nil, nonce, key)
                }
            }
        }
        return sealed
    }

    /// Opens what was sealed.
    ///
    /// - Parameters:
    ///   - sealed: the sealed text.
    ///   - associated: what was authenticated with it.
    ///   - nonce: the nonce that it was sealed with.
    ///   - key: 32 bytes.
    /// - Returns: the secret, in guarded memory.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`, or `wrongPassphrase` where it does not open.
    package static func open(
        _ sealed: [UInt8], associated: [UInt8], nonce: [UInt8], key: SecretBytes
    ) throws(PushCryptError) -> SecretBytes {
        try Sodium.ready()
        precondition(nonce.count == nonceLength && key.count == 32)
        guard sealed.count >= overhead else { throw wrong }
        return try SecretBytes(count: sealed.count - overhead) { (secret) throws(PushCryptError) in
            let status = unsafe secret.lendMutable { secret in
                unsafe key.lend { key in
                    unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
                        secret, nil, nil, sealed, UInt64(sealed.count), associated, UInt64(associated.count), nonce, key
                    )
                }
            }
            guard status == 0 else { throw wrong }
        }
    }

    private static var wrong: PushCryptError {
        PushCryptError(
            .wrongPassphrase,
            "The passphrase is not the one that this keyring is protected by, or the file was changed.")
    }
}
