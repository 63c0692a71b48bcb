#if canImport(Darwin)
internal import Clibsodium
#else
internal import CSodium
#endif

/// Keyed BLAKE2b (RFC 7693): without the key nobody can tell a digest from random bytes.
///
/// A digest of another length is another one, not a part of a longer one.
package enum BLAKE2b {
    /// How many bytes libsodium wants keys and digests to have.
    package static let lengths = 16...64

    /// The digest of some bytes.
    ///
    /// - Parameters:
    ///   - bytes: what is hashed.
    ///   - key: the key, 16 to 64 bytes.
    ///   - count: how many bytes the digest has, 16 to 64.
    /// - Returns: the digest.
    /// - Throws: ``PushCryptError`` with `invalidKey` for another length, or `sodiumUnavailable`.
    package static func hash(
        _ bytes: Span<UInt8>, keyedBy key: SecretBytes, count: Int
    ) throws(PushCryptError) -> [UInt8] {
        try Sodium.ready()
        // Checked before there is memory for it.
        try check(key, count)
        var digest = [UInt8](repeating: 0, count: count)
        var room = digest.mutableSpan
        try hash(bytes, keyedBy: key, into: &room)
        return digest
    }

    /// The digest of some bytes, as a secret that is a key again.
    ///
    /// - Parameters:
    ///   - bytes: what is hashed.
    ///   - key: the key, 16 to 64 bytes.
    ///   - count: how many bytes the digest has, 16 to 64.
    /// - Returns: the digest, which is nowhere but in guarded memory.
    /// - Throws: ``PushCryptError`` with `invalidKey` for another length, or `sodiumUnavailable`.
    package static func secret(
        _ bytes: Span<UInt8>, keyedBy key: SecretBytes, count: Int
    ) throws(PushCryptError) -> SecretBytes {
        try check(key, count)
        return try SecretBytes(count: count) { (digest) throws(PushCryptError) in
            try hash(bytes, keyedBy: key, into: &digest)
        }
    }

    private static func check(_ key: SecretBytes, _ count: Int) throws(PushCryptError) {
        // libsodium takes an empty key as none, and then anybody could make the digest.
        guard lengths.contains(key.count), lengths.contains(count) else {
            throw PushCryptError(
                .invalidKey, "Keys and digests of BLAKE2b are 16 to 64 bytes long, not \(key.count) and \(count).")
        }
    }

    private static func hash(
        _ bytes: Span<UInt8>, keyedBy key: SecretBytes, into digest: inout MutableSpan<UInt8>
    ) throws(PushCryptError) {
        let count = digest.count
        let status = unsafe digest.lendMutable { output in
            unsafe bytes.lend { input in
                unsafe key.lend { unsafe crypto_generichash(output, count, input, UInt64(bytes.count), $0, key.count) }
            }
        }
        guard status == 0 else {
            throw PushCryptError(.sodiumUnavailable, "libsodium could not hash (crypto_generichash failed).")
        }
    }
}
