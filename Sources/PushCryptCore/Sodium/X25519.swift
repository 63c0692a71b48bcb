#if canImport(Darwin)
internal import Clibsodium
#else
internal import CSodium
#endif

/// Curve25519 key pairs for sealed boxes.
package enum X25519 {
    /// A new secret key: 32 random bytes (`crypto_box_keypair`).
    package static func makeSecretKey() throws(PushCryptError) -> SecretBytes {
        try SecretBytes(count: 32) { (secret) throws(PushCryptError) in
            unsafe secret.lendMutable { unsafe randombytes_buf($0, 32) }
        }
    }

    /// The public key that belongs to a 32-byte secret key.
    package static func publicKey(of secretKey: SecretBytes) throws(PushCryptError) -> Bytes32 {
        guard secretKey.count == 32 else {
            throw PushCryptError(.invalidKey, "An X25519 private key is 32 bytes long; this has \(secretKey.count).")
        }
        var publicKey = Bytes32()
        let status = unsafe publicKey.lendMutable { output in
            unsafe secretKey.lend { unsafe crypto_scalarmult_base(output, $0) }
        }
        guard status == 0 else {
            throw PushCryptError(.invalidKey, "This X25519 private key has no public key.")
        }
        return publicKey
    }
}
