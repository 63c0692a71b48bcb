internal import Clibsodium

/// Ed25519 signatures (RFC 8032).
///
/// libsodium rejects signatures that aren't canonical, and keys that aren't canonical or have a
/// small order (https://doc.libsodium.org/public-key_cryptography/public-key_signatures).
package enum Ed25519 {
    /// The length of a signature in bytes.
    package static let signatureLength = 64

    /// Returns the key pair of a seed: the public key, and libsodium's secret key of 64 bytes.
    ///
    /// - Throws: ``PushCryptError`` with `invalidKey` or `sodiumUnavailable`.
    package static func keyPair(
        of seed: SecretBytes
    ) throws(PushCryptError) -> (publicKey: Bytes32, secretKey: SecretBytes) {
        guard seed.count == 32 else {
            throw PushCryptError(
                .invalidKey,
                "An Ed25519 seed has 32 bytes, and this seed has \(seed.count). Check the key.")
        }
        var publicKey = Bytes32()
        let secretKey = try SecretBytes(count: 64) { (secret) throws(PushCryptError) in
            derive(from: seed, &publicKey, &secret)
        }
        return (publicKey, secretKey)
    }

    private static func derive(
        from seed: SecretBytes, _ publicKey: inout Bytes32, _ secretKey: inout MutableSpan<UInt8>
    ) {
        _ = unsafe secretKey.withUnsafeMutablePointer { secret in
            unsafe publicKey.withUnsafeMutablePointer { output in
                unsafe seed.withUnsafePointer {
                    unsafe crypto_sign_seed_keypair(output, secret, $0)
                }
            }
        }
    }

    /// Returns a Boolean value that indicates whether a public key is canonical, on the curve, in
    /// the main subgroup and not of small order.
    ///
    /// libsodium's own check misses a component of order 2 without the fix of CVE-2025-69277. 8·P
    /// has no component of order 2, 4 or 8, so the same check inside the multiplication is enough
    /// there, and 8⁻¹·(8·P) is P in the subgroup only.
    package static func isValid(_ publicKey: Bytes32) -> Bool {
        let key = publicKey.array
        var point = key
        var product = key
        var inverseOf8 = key
        for _ in 0..<3 {
            guard unsafe crypto_core_ed25519_add(&product, point, point) == 0 else { return false }
            point = product
        }
        let eight = [8] + [UInt8](repeating: 0, count: 31)
        return unsafe crypto_core_ed25519_scalar_invert(&inverseOf8, eight) == 0
            && crypto_scalarmult_ed25519_noclamp(&product, inverseOf8, point) == 0 && product == key
    }

    /// Signs a part of a buffer with a secret key of 64 bytes, and writes the signature at an
    /// offset of the buffer.
    package static func sign(
        _ message: Range<Int>, of buffer: inout [UInt8], into offset: Int,
        with secretKey: SecretBytes
    ) throws(PushCryptError) {
        try Sodium.ready()
        precondition(secretKey.count == 64)
        precondition(message.upperBound <= offset || offset + signatureLength <= message.lowerBound)
        // One pointer for both parts: exclusive access allows only one.
        let whole =
            min(message.lowerBound, offset)..<max(message.upperBound, offset + signatureLength)
        _ = unsafe buffer.withUnsafeMutablePointer(whole) { bytes in
            unsafe secretKey.withUnsafePointer { secret in
                unsafe crypto_sign_detached(
                    bytes + (offset - whole.lowerBound), nil,
                    bytes + (message.lowerBound - whole.lowerBound),
                    UInt64(message.count), secret)
            }
        }
    }

    /// Checks the signature of a message.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `invalidSignature`.
    package static func verify(
        _ signature: Span<UInt8>, of message: Span<UInt8>, with publicKey: Bytes32
    ) throws(PushCryptError) {
        try Sodium.ready()
        let status = unsafe signature.withUnsafePointer { start in
            unsafe message.withUnsafePointer { text in
                unsafe publicKey.withUnsafePointer {
                    signature.count == signatureLength
                        ? unsafe crypto_sign_verify_detached(start, text, UInt64(message.count), $0)
                        : -1
                }
            }
        }
        guard status == 0 else {
            throw PushCryptError(
                .invalidSignature,
                """
                The signature is not valid for this device and the key that the message names. \
                Do not trust the message.
                """)
        }
    }
}
