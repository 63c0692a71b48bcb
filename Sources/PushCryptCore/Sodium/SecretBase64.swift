#if canImport(Darwin)
internal import Clibsodium
#else
internal import CSodium
#endif

/// Base64url for private keys: libsodium's codec looks nothing up in tables, so its time and its traces in the cache do
/// not depend on the key (https://doc.libsodium.org/helpers).
package enum SecretBase64 {
    /// How many characters 32 bytes take.
    package static let encodedLength = 43

    private static let variant = Int32(sodium_base64_VARIANT_URLSAFE_NO_PADDING)

    /// Decodes the 43 characters of a 32-byte private key into guarded memory; as strict as ``Base64URL``.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJWK`.
    package static func decodeKey(_ text: Span<UInt8>) throws(PushCryptError) -> SecretBytes {
        guard text.count == encodedLength else {
            throw PushCryptError(.malformedJWK, "A private key's \"d\" is 43 characters of base64url; this is not.")
        }
        // libsodium 1.0.18 takes any byte from 0x80 on for the last character of the alphabet.
        var all: UInt8 = 0
        for index in 0..<text.count { all |= text[index] }
        guard all < 0x80 else {
            throw PushCryptError(.malformedJWK, "A private key's \"d\" is not base64url without padding.")
        }
        return try SecretBytes(count: 32) { (key) throws(PushCryptError) in
            var length = 0
            let status = unsafe key.lendMutable { key in
                unsafe text.lend { characters in
                    unsafe characters.withMemoryRebound(to: CChar.self, capacity: text.count) {
                        unsafe sodium_base642bin(key, 32, $0, text.count, nil, &length, nil, variant)
                    }
                }
            }
            guard status == 0, length == 32 else {
                throw PushCryptError(.malformedJWK, "A private key's \"d\" is not base64url without padding.")
            }
        }
    }

    /// Writes the 43 characters of a 32-byte private key into a buffer, and a zero byte behind them.
    ///
    /// - Parameters:
    ///   - key: the private key.
    ///   - text: gets the characters; 44 bytes of room from `offset` on.
    ///   - offset: where the characters go.
    package static func encodeKey(_ key: SecretBytes, into text: inout MutableSpan<UInt8>, at offset: Int) {
        let room = encodedLength + 1
        guard key.count == 32, offset >= 0, text.count - offset >= room else { return }
        unsafe text.lendMutable { text in
            unsafe (text + offset).withMemoryRebound(to: CChar.self, capacity: room) { text in
                _ = unsafe key.lend { unsafe sodium_bin2base64(text, room, $0, 32, variant) }
            }
        }
    }
}
