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
package enum BLAKE2b {
    /// The lengths of keys and digests that libsodium accepts, in bytes.
    package static let lengths = 16...64

    /// Overwrites a span with the digest of some bytes.
    ///
    /// - Throws: ``PushCryptError`` with `invalidKey` for another length, or `sodiumUnavailable`.
    package static func hash(
        _ bytes: Span<UInt8>, keyedBy key: SecretBytes, into digest: inout MutableSpan<UInt8>
    ) throws(PushCryptError) {
        try Sodium.ready()
        let count = digest.count
        // libsodium accepts an empty key and then computes an unkeyed digest, which an attacker can compute.
        guard lengths.contains(key.count), lengths.contains(count) else {
            throw PushCryptError(
                .invalidKey,
                "BLAKE2b takes 16 to 64 bytes, not a key of \(key.count) and a digest of \(count). Change the length.")
        }
        // Fails for other lengths only.
        _ = unsafe digest.withUnsafeMutablePointer { output in
            unsafe bytes.withUnsafePointer { input in
                unsafe key.withUnsafePointer {
                    unsafe crypto_generichash(output, count, input, UInt64(bytes.count), $0, key.count)
                }
            }
        }
    }
}
