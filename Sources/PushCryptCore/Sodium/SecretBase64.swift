internal import Clibsodium

/// Base64url for private keys.
///
/// libsodium's codec uses no tables, so its time and its use of the cache don't depend on the key
/// (https://doc.libsodium.org/helpers).
package enum SecretBase64 {
    /// The number of characters for 32 bytes.
    package static let encodedLength = 43

    private static let variant = Int32(sodium_base64_VARIANT_URLSAFE_NO_PADDING)

    /// Decodes a private key of 32 bytes into guarded memory, as strictly as ``Base64URL``.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJWK`.
    package static func decodeKey(_ text: Span<UInt8>) throws(PushCryptError) -> SecretBytes {
        guard text.count == encodedLength else { throw malformed }
        // libsodium 1.0.18 decodes any byte from 0x80 on as the last character of the alphabet.
        var all: UInt8 = 0
        for index in 0..<text.count { all |= text[index] }
        guard all < 0x80 else { throw malformed }
        return try SecretBytes(count: 32) { (key) throws(PushCryptError) in
            guard decode(text, into: &key) == 32 else { throw malformed }
        }
    }

    /// Decodes up to 32 bytes, and returns their number; `nil` if the characters aren't base64url.
    private static func decode(_ text: Span<UInt8>, into key: inout MutableSpan<UInt8>) -> Int? {
        var length = 0
        let status = unsafe key.withUnsafeMutablePointer { key in
            unsafe text.withUnsafePointer { characters in
                unsafe characters.withMemoryRebound(to: CChar.self, capacity: text.count) {
                    unsafe sodium_base642bin(key, 32, $0, text.count, nil, &length, nil, variant)
                }
            }
        }
        return status == 0 ? length : nil
    }

    private static var malformed: PushCryptError {
        PushCryptError(
            .malformedJWK,
            "The JWK's \"d\" is not 32 bytes in base64url without padding. Check the key.")
    }

    /// Writes the 43 characters of a private key and a zero byte at an offset of a buffer.
    package static func encodeKey(
        _ key: SecretBytes, into text: inout MutableSpan<UInt8>, at offset: Int
    ) {
        let room = encodedLength + 1
        guard key.count == 32, offset >= 0, text.count - offset >= room else { return }
        unsafe text.withUnsafeMutablePointer { text in
            unsafe (text + offset).withMemoryRebound(to: CChar.self, capacity: room) { text in
                _ = unsafe key.withUnsafePointer {
                    unsafe sodium_bin2base64(text, room, $0, 32, variant)
                }
            }
        }
    }
}
