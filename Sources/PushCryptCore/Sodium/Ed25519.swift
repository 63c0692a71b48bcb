#if canImport(Darwin)
internal import Clibsodium
#else
internal import CSodium
#endif

/// Ed25519 signatures (RFC 8032), as libsodium makes and checks them: it refuses non-canonical signatures, and keys that
/// are not canonical or of small order (https://doc.libsodium.org/public-key_cryptography/public-key_signatures).
package enum Ed25519 {
    /// How many bytes a signature has.
    package static let signatureLength = 64

    /// A new seed, the 32 random bytes that RFC 8032 calls the private key.
    package static func makeSeed() throws(PushCryptError) -> SecretBytes {
        try SecretBytes(count: 32) { (seed) throws(PushCryptError) in
            unsafe seed.lendMutable { unsafe randombytes_buf($0, 32) }
        }
    }

    /// The key pair of a seed: the public key, and libsodium's 64-byte secret key, which is the seed and the public key.
    package static func keyPair(
        of seed: SecretBytes
    ) throws(PushCryptError) -> (publicKey: Bytes32, secretKey: SecretBytes) {
        guard seed.count == 32 else {
            throw PushCryptError(.invalidKey, "An Ed25519 seed is 32 bytes long; this has \(seed.count).")
        }
        var publicKey = Bytes32()
        let secretKey = try SecretBytes(count: 64) { (secret) throws(PushCryptError) in
            _ = unsafe secret.lendMutable { secret in
                unsafe publicKey.lendMutable { output in
                    unsafe seed.lend { unsafe crypto_sign_seed_keypair(output, secret, $0) }
                }
            }
        }
        return (publicKey, secretKey)
    }

    /// Whether 32 bytes are a public key that signatures can be checked with: canonical, on the curve, in the main
    /// subgroup and not of small order.
    package static func isValid(_ publicKey: Bytes32) -> Bool {
        unsafe publicKey.lend { unsafe crypto_core_ed25519_is_valid_point($0) == 1 }
    }

    /// Signs a part of a buffer and writes the 64-byte signature into the same buffer, outside of that part.
    ///
    /// - Parameters:
    ///   - message: where in `buffer` the message is.
    ///   - buffer: holds the message and gets the signature.
    ///   - offset: where in `buffer` the signature goes.
    ///   - secretKey: libsodium's 64-byte secret key.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    package static func sign(
        _ message: Range<Int>, of buffer: inout [UInt8], into offset: Int, with secretKey: SecretBytes
    ) throws(PushCryptError) {
        try Sodium.ready()
        // One loan of the whole: the signature's place and the message lie apart in it.
        let whole = min(message.lowerBound, offset)..<max(message.upperBound, offset + signatureLength)
        _ = unsafe buffer.lendMutable(whole) { bytes in
            unsafe secretKey.lend { secret in
                unsafe crypto_sign_detached(
                    bytes + (offset - whole.lowerBound), nil, bytes + (message.lowerBound - whole.lowerBound),
                    UInt64(message.count), secret)
            }
        }
    }

    /// Checks a signature over a message.
    ///
    /// - Throws: ``PushCryptError`` with `invalidSignature`.
    package static func verify(
        _ signature: Span<UInt8>, of message: Span<UInt8>, with publicKey: Bytes32
    ) throws(PushCryptError) {
        try Sodium.ready()
        let status: Int32 =
            signature.count != signatureLength
            ? -1
            : unsafe signature.lend { signature in
                unsafe message.lend { text in
                    unsafe publicKey.lend {
                        unsafe crypto_sign_verify_detached(signature, text, UInt64(message.count), $0)
                    }
                }
            }
        guard status == 0 else {
            throw PushCryptError(
                .invalidSignature,
                "The signature does not fit: the message was not signed by the key that it names, or not for this device."
            )
        }
    }
}
