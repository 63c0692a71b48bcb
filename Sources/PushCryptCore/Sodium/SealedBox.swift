internal import Clibsodium
package import PushCryptX25519

/// X25519 keys for sealed boxes.
package enum X25519 {
    /// Returns the public key of a secret key, or throws `invalidKey`.
    package static func publicKey(of secretKey: SecretBytes) throws(PushCryptError) -> Bytes32 {
        guard secretKey.count == 32 else {
            throw PushCryptError(
                .invalidKey, "An X25519 private key has 32 bytes, and this key has \(secretKey.count). Check the key.")
        }
        var publicKey = Bytes32()
        _ = unsafe publicKey.withUnsafeMutablePointer { output in
            unsafe secretKey.withUnsafePointer { unsafe crypto_scalarmult_base(output, $0) }
        }
        return publicKey
    }
}

/// Sealed boxes of libsodium: anonymous public-key encryption with X25519, XSalsa20 and Poly1305
/// (https://doc.libsodium.org/public-key_cryptography/sealed_boxes).
package enum SealedBox {
    /// The length of a box beyond its message: an ephemeral public key (32 bytes) and an authenticator (16).
    package static let overhead = 48

    /// Seals a part of one buffer, and writes the box at an offset of another buffer.
    ///
    /// In the same buffer, libsodium would corrupt the text and report success; exclusive access prevents this.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `invalidKey`. The bytes of the box are then zero, because libsodium wrote 32
    ///   bytes before it failed.
    package static func seal(
        _ source: Span<UInt8>, _ message: Range<Int>, to publicKey: Bytes32, into target: inout [UInt8], at offset: Int,
        usesBoringSSL: Bool = BoringSSLKey.isFaster
    ) throws(PushCryptError) {
        try Sodium.ready()
        let message = source.extracting(message)
        let box = offset..<(offset + message.count + overhead)
        let status = unsafe message.withUnsafePointer { text in
            unsafe target.withUnsafeMutablePointer(box) { output in
                unsafe publicKey.withUnsafePointer { key in
                    guard usesBoringSSL, let ephemeral = BoringSSLKey() else {
                        return unsafe crypto_box_seal(output, text, UInt64(message.count), key)
                    }
                    unsafe ephemeral.writePublicKey(to: output)
                    return unsafe withNonceAndKey(of: output, key, ephemeral, with: key) {
                        unsafe crypto_secretbox_easy(output + 32, text, UInt64(message.count), $0, $1)
                    }
                }
            }
        }
        guard status == 0 else {
            for index in box { target[index] = 0 }
            throw PushCryptError(.invalidKey, "This X25519 public key has a small order. Register the device again.")
        }
    }

    /// Opens a box with a key pair, by BoringSSL if there is such a key, and writes the message at an offset of a buffer.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`, or `decryptionFailed` if the box is too short or not authentic.
    ///   `target` is then unchanged.
    package static func open(
        _ box: Span<UInt8>, with publicKey: Bytes32, _ secretKey: SecretBytes, into target: inout [UInt8],
        at offset: Int, boringSSL: BoringSSLKey? = nil
    ) throws(PushCryptError) {
        try Sodium.ready()
        precondition(secretKey.count == 32)
        guard box.count >= overhead else {
            throw PushCryptError(
                .decryptionFailed,
                "A sealed box has at least \(overhead) bytes, and this box has \(box.count). Send the push again.")
        }
        let message = offset..<(offset + box.count - overhead)
        let status = unsafe box.withUnsafePointer { sealed in
            unsafe target.withUnsafeMutablePointer(message) { output in
                unsafe publicKey.withUnsafePointer { key in
                    unsafe secretKey.withUnsafePointer { secret in
                        let count = UInt64(box.count)
                        guard let boringSSL else {
                            return unsafe crypto_box_seal_open(output, sealed, count, key, secret)
                        }
                        return unsafe withNonceAndKey(of: sealed, key, boringSSL, with: sealed) {
                            unsafe crypto_secretbox_open_easy(output, sealed + 32, count - 32, $0, $1)
                        }
                    }
                }
            }
        }
        guard status == 0 else {
            throw PushCryptError(
                .decryptionFailed,
                "The sealed box was changed, truncated, or sealed for another key than it names. Send the push again.")
        }
    }

    /// Derives a box's nonce and key as libsodium does, from the shared secret and both public keys, and wipes them.
    private static func withNonceAndKey(
        of box: UnsafePointer<UInt8>, _ recipient: UnsafePointer<UInt8>,
        _ secret: BoringSSLKey, with other: UnsafePointer<UInt8>,
        body: (_ nonce: UnsafePointer<UInt8>, _ key: UnsafePointer<UInt8>) -> Int32
    ) -> Int32 {
        // The shared secret, the key, both public keys, the nonce, and zeros as HSalsa20's input.
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 168) { memory in
            unsafe memory.initialize(repeating: 0)
            defer { unsafe sodium_memzero(memory.baseAddress, memory.count) }
            guard let bytes = memory.baseAddress else { return -1 }
            unsafe secret.agree(with: other, into: bytes)
            unsafe (bytes + 64).update(from: box, count: 32)
            unsafe (bytes + 96).update(from: recipient, count: 32)
            _ = unsafe crypto_generichash(bytes + 128, 24, bytes + 64, 64, nil, 0)
            _ = unsafe crypto_core_hsalsa20(bytes + 32, bytes + 152, bytes, nil)
            // libsodium's own X25519 rejects keys of small order in this way.
            return unsafe sodium_is_zero(bytes, 32) == 0 ? body(bytes + 128, bytes + 32) : -1
        }
    }
}
