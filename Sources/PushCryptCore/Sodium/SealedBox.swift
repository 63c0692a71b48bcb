internal import Clibsodium

/// X25519 keys for sealed boxes.
package enum X25519 {
    /// Returns the public key of a secret key, or throws `invalidKey`.
    package static func publicKey(of secretKey: SecretBytes) throws(PushCryptError) -> Bytes32 {
        guard secretKey.count == 32 else {
            throw PushCryptError(
                .invalidKey, "An X25519 private key has 32 bytes, and this key has \(secretKey.count). Check the key.")
        }
        var publicKey = Bytes32()
        let status = unsafe publicKey.withUnsafeMutablePointer { output in
            unsafe secretKey.withUnsafePointer { unsafe crypto_scalarmult_base(output, $0) }
        }
        guard status == 0 else {
            throw PushCryptError(.invalidKey, "This X25519 private key has no public key. Create a new key.")
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
        _ source: Span<UInt8>, _ message: Range<Int>, to publicKey: Bytes32, into target: inout [UInt8], at offset: Int
    ) throws(PushCryptError) {
        try Sodium.ready()
        let message = source.extracting(message)
        let box = offset..<(offset + message.count + overhead)
        let status = unsafe message.withUnsafePointer { text in
            unsafe target.withUnsafeMutablePointer(box) { output in
                unsafe publicKey.withUnsafePointer { unsafe crypto_box_seal(output, text, UInt64(message.count), $0) }
            }
        }
        guard status == 0 else {
            for index in box { target[index] = 0 }
            throw PushCryptError(.invalidKey, "This X25519 public key has a small order. Register the device again.")
        }
    }

    /// Opens a box with a key pair, and writes the message at an offset of a buffer.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`, or `decryptionFailed` if the box is too short or not authentic.
    ///   `target` is then unchanged.
    package static func open(
        _ box: Span<UInt8>, with publicKey: Bytes32, _ secretKey: SecretBytes, into target: inout [UInt8],
        at offset: Int
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
                    unsafe secretKey.withUnsafePointer {
                        unsafe crypto_box_seal_open(output, sealed, UInt64(box.count), key, $0)
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
}
