#if canImport(Darwin)
internal import Clibsodium
#else
internal import CSodium
#endif

/// libsodium's sealed boxes: anonymous public-key encryption with X25519, XSalsa20 and Poly1305
/// (https://doc.libsodium.org/public-key_cryptography/sealed_boxes).
package enum SealedBox {
    /// How many bytes a box is longer than what is in it: an ephemeral public key (32) and an authenticator (16).
    package static let overhead = 48

    /// Seals a part of one buffer into a part of another.
    ///
    /// - Parameters:
    ///   - source: holds the message. Never the buffer that `target` is, in which libsodium would corrupt the text and
    ///     report success; Swift's law of exclusivity keeps a caller from that.
    ///   - message: where in `source` the message is.
    ///   - publicKey: the recipient's key.
    ///   - target: gets the box, at `offset`, `message.count + 48` bytes long.
    ///   - offset: where in `target` the box begins.
    /// - Throws: ``PushCryptError`` with `invalidKey` where libsodium refuses the key; the box's place is then zero,
    ///   because libsodium has by then written 32 bytes to it.
    package static func seal(
        _ source: Span<UInt8>, _ message: Range<Int>, to publicKey: Bytes32, into target: inout [UInt8], at offset: Int
    ) throws(PushCryptError) {
        try Sodium.ready()
        let message = source.extracting(message)
        let box = offset..<(offset + message.count + overhead)
        let status = unsafe message.lend { text in
            unsafe target.lendMutable(box) { output in
                unsafe publicKey.lend { unsafe crypto_box_seal(output, text, UInt64(message.count), $0) }
            }
        }
        guard status == 0 else {
            for index in box { target[index] = 0 }
            throw PushCryptError(.invalidKey, "libsodium does not seal to this public key: it is of small order.")
        }
    }

    /// Opens a box into a part of a buffer.
    ///
    /// - Parameters:
    ///   - box: the box, at least 48 bytes.
    ///   - publicKey: the recipient's public key.
    ///   - secretKey: the private key that belongs to it.
    ///   - target: gets the message, at `offset`, `box.count - 48` bytes long.
    ///   - offset: where in `target` the message begins.
    /// - Throws: ``PushCryptError`` with `decryptionFailed` where the box is too short or not authentic; `target` is unchanged.
    package static func open(
        _ box: Span<UInt8>, with publicKey: Bytes32, _ secretKey: SecretBytes, into target: inout [UInt8],
        at offset: Int
    ) throws(PushCryptError) {
        try Sodium.ready()
        guard box.count >= overhead else {
            throw PushCryptError(
                .decryptionFailed, "A sealed box has at least \(overhead) bytes; this has \(box.count).")
        }
        let message = offset..<(offset + box.count - overhead)
        let status = unsafe box.lend { sealed in
            unsafe target.lendMutable(message) { output in
                unsafe publicKey.lend { key in
                    unsafe secretKey.lend {
                        unsafe crypto_box_seal_open(output, sealed, UInt64(box.count), key, $0)
                    }
                }
            }
        }
        guard status == 0 else {
            throw PushCryptError(
                .decryptionFailed,
                "The sealed box does not open: it was changed or cut on its way, or made for another key than it names."
            )
        }
    }
}
