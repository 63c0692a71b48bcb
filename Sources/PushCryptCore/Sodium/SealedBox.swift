internal import Clibsodium

/// Sealed boxes of libsodium: anonymous public-key encryption with X25519, XSalsa20 and Poly1305
/// (https://doc.libsodium.org/public-key_cryptography/sealed_boxes).
package enum SealedBox {
    /// The length of a box beyond its message: an ephemeral public key (32 bytes) and an
    /// authenticator (16).
    package static let overhead = 48

    /// Seals a message, and writes the box at an offset of a buffer.
    ///
    /// If the message were in the same buffer, libsodium would corrupt it and report success.
    /// Exclusive access prevents this.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `invalidKey`. The bytes of the box
    ///   are then zero, because libsodium wrote 32 bytes before it failed.
    package static func seal(
        _ message: Span<UInt8>, to publicKey: Bytes32, into target: inout [UInt8], at offset: Int,
        usesBoringSSL: Bool = X25519Choice.boringSSLSeals
    ) throws(PushCryptError) {
        try Sodium.ready()
        let box = offset..<(offset + message.count + overhead)
        let ephemeral = usesBoringSSL ? BoringSSLKey() : nil
        let status = unsafe target.withUnsafeMutablePointer(box) { output in
            guard let ephemeral else { return unsafe seal(message, to: publicKey, into: output) }
            return unsafe seal(message, to: publicKey, into: output, ephemeral: ephemeral)
        }
        guard status == 0 else {
            for index in box { target[index] = 0 }
            throw PushCryptError(
                .invalidKey, "This X25519 public key has a small order. Register the device again.")
        }
    }

    /// Seals a message by libsodium alone.
    private static func seal(
        _ message: Span<UInt8>, to publicKey: Bytes32, into output: UnsafeMutablePointer<UInt8>
    ) -> Int32 {
        unsafe message.withUnsafePointer { text in
            unsafe publicKey.withUnsafePointer { key in
                unsafe crypto_box_seal(output, text, UInt64(message.count), key)
            }
        }
    }

    /// Seals a message with an ephemeral key of BoringSSL.
    private static func seal(
        _ message: Span<UInt8>, to publicKey: Bytes32, into output: UnsafeMutablePointer<UInt8>,
        ephemeral: BoringSSLKey
    ) -> Int32 {
        unsafe ephemeral.writePublicKey(to: output)
        return unsafe message.withUnsafePointer { text in
            unsafe publicKey.withUnsafePointer { key in
                unsafe withNonceAndKey(of: output, for: key, ephemeral, with: key) {
                    unsafe crypto_secretbox_easy(output + 32, text, UInt64(message.count), $0, $1)
                }
            }
        }
    }

    /// Opens a box, by BoringSSL if the key has a copy for it, and writes the message at an offset
    /// of a buffer.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`, or `decryptionFailed` if the box is
    ///   too short or not authentic. `target` is then unchanged.
    package static func open(
        _ box: Span<UInt8>, with key: X25519KeyPair, into target: inout [UInt8], at offset: Int
    ) throws(PushCryptError) {
        try Sodium.ready()
        guard box.count >= overhead else {
            throw PushCryptError(
                .decryptionFailed,
                """
                A sealed box has at least \(overhead) bytes, and this box has \(box.count). Send \
                the push again.
                """)
        }
        let message = offset..<(offset + box.count - overhead)
        let status = unsafe target.withUnsafeMutablePointer(message) { output in
            guard let boringSSL = key.boringSSL else {
                return unsafe open(box, with: key, into: output)
            }
            return unsafe open(box, with: key, into: output, boringSSL: boringSSL)
        }
        guard status == 0 else {
            throw PushCryptError(
                .decryptionFailed,
                """
                The sealed box was changed, truncated, or sealed for another key than it names. \
                Send the push again.
                """)
        }
    }

    /// Opens a box by libsodium alone.
    private static func open(
        _ box: Span<UInt8>, with key: X25519KeyPair, into output: UnsafeMutablePointer<UInt8>
    ) -> Int32 {
        unsafe box.withUnsafePointer { sealed in
            unsafe key.publicKey.withUnsafePointer { publicKey in
                unsafe key.secret.withUnsafePointer { secret in
                    unsafe crypto_box_seal_open(
                        output, sealed, UInt64(box.count), publicKey, secret)
                }
            }
        }
    }

    /// Opens a box with a copy of the key for BoringSSL.
    private static func open(
        _ box: Span<UInt8>, with key: X25519KeyPair, into output: UnsafeMutablePointer<UInt8>,
        boringSSL: BoringSSLKey
    ) -> Int32 {
        unsafe box.withUnsafePointer { sealed in
            unsafe key.publicKey.withUnsafePointer { publicKey in
                unsafe withNonceAndKey(of: sealed, for: publicKey, boringSSL, with: sealed) {
                    unsafe crypto_secretbox_open_easy(
                        output, sealed + 32, UInt64(box.count) - 32, $0, $1)
                }
            }
        }
    }

    /// Derives a box's nonce and key as libsodium does, from the shared secret and both public
    /// keys, and wipes them.
    private static func withNonceAndKey(
        of box: UnsafePointer<UInt8>, for recipient: UnsafePointer<UInt8>, _ secret: BoringSSLKey,
        with other: UnsafePointer<UInt8>,
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
