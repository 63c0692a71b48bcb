internal import Clibsodium

/// XChaCha20-Poly1305, which encrypts keyrings that are protected by a passphrase
/// (https://doc.libsodium.org/secret-key_cryptography/aead/chacha20-poly1305/xchacha20-poly1305_construction).
package enum XChaCha20Poly1305 {
    /// The length of a nonce in bytes, enough for random nonces.
    package static let nonceLength = 24

    /// The length of a ciphertext beyond its plaintext, in bytes.
    package static let overhead = 16

    /// Encrypts a secret with a key of 32 bytes and a random nonce, and authenticates the
    /// associated bytes, too.
    package static func seal(
        _ secret: SecretBytes, associated: [UInt8], nonce: [UInt8], key: SecretBytes
    ) throws(PushCryptError) -> [UInt8] {
        try Sodium.ready()
        precondition(nonce.count == nonceLength && key.count == 32)
        let count = secret.count
        var sealed = [UInt8](repeating: 0, count: count + overhead)
        let room = sealed.indices
        _ = unsafe sealed.withUnsafeMutablePointer(room) { sealed in
            unsafe secret.withUnsafePointer { secret in
                unsafe key.withUnsafePointer { key in
                    unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
                        sealed, nil, secret, UInt64(count), associated, UInt64(associated.count),
                        nil, nonce, key)
                }
            }
        }
        return sealed
    }

    /// Decrypts a secret into guarded memory.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`, or `wrongPassphrase` if the
    ///   ciphertext isn't authentic.
    package static func open(
        _ sealed: [UInt8], associated: [UInt8], nonce: [UInt8], key: SecretBytes
    ) throws(PushCryptError) -> SecretBytes {
        try Sodium.ready()
        precondition(nonce.count == nonceLength && key.count == 32)
        guard sealed.count >= overhead else { throw wrongPassphrase }
        return try SecretBytes(count: sealed.count - overhead) { (secret) throws(PushCryptError) in
            let status = unsafe secret.withUnsafeMutablePointer { secret in
                unsafe key.withUnsafePointer { key in
                    unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
                        secret, nil, nil, sealed, UInt64(sealed.count), associated,
                        UInt64(associated.count), nonce, key
                    )
                }
            }
            guard status == 0 else { throw wrongPassphrase }
        }
    }

    private static var wrongPassphrase: PushCryptError {
        PushCryptError(
            .wrongPassphrase,
            "The passphrase is wrong, or the keyring file was changed. Try another passphrase.")
    }
}
