internal import Clibsodium

/// SHA-256, the hash of RFC 7638 thumbprints.
package enum SHA256 {
    /// Returns the hash of some bytes.
    package static func hash(_ bytes: [UInt8]) throws(PushCryptError) -> Bytes32 {
        try Sodium.ready()
        var digest = Bytes32()
        _ = unsafe digest.withUnsafeMutablePointer { unsafe crypto_hash_sha256($0, bytes, UInt64(bytes.count)) }
        return digest
    }
}

/// Keyed BLAKE2b (RFC 7693): without the key, a digest looks like random bytes.
///
/// Digests of different lengths are independent; the shorter is not a prefix of the longer.
package enum BLAKE2b {
    /// The lengths of keys and digests that libsodium accepts, in bytes.
    package static let lengths = 16...64

    /// Returns the digest of some bytes.
    ///
    /// - Throws: ``PushCryptError`` with `invalidKey` for another length, or `sodiumUnavailable`.
    package static func hash(
        _ bytes: Span<UInt8>, keyedBy key: SecretBytes, count: Int
    ) throws(PushCryptError) -> [UInt8] {
        try Sodium.ready()
        try check(key, count)
        var digest = [UInt8](repeating: 0, count: count)
        var room = digest.mutableSpan
        try hash(bytes, keyedBy: key, into: &room)
        return digest
    }

    /// Returns the digest of some bytes in guarded memory, to be used as a key.
    ///
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
        // libsodium accepts an empty key and then computes an unkeyed digest, which an attacker can compute.
        guard lengths.contains(key.count), lengths.contains(count) else {
            throw PushCryptError(
                .invalidKey,
                "BLAKE2b takes 16 to 64 bytes, not a key of \(key.count) and a digest of \(count). Change the length.")
        }
    }

    private static func hash(
        _ bytes: Span<UInt8>, keyedBy key: SecretBytes, into digest: inout MutableSpan<UInt8>
    ) throws(PushCryptError) {
        let count = digest.count
        let status = unsafe digest.withUnsafeMutablePointer { output in
            unsafe bytes.withUnsafePointer { input in
                unsafe key.withUnsafePointer {
                    unsafe crypto_generichash(output, count, input, UInt64(bytes.count), $0, key.count)
                }
            }
        }
        guard status == 0 else {
            throw PushCryptError(.sodiumUnavailable, "libsodium could not hash. Check its installation.")
        }
    }
}
