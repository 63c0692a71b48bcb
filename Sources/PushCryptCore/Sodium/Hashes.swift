internal import Clibsodium

/// SHA-256, the hash of RFC 7638 thumbprints.
package enum SHA256 {
    /// Returns the hash of some bytes.
    package static func hash(_ bytes: [UInt8]) throws(PushCryptError) -> Bytes32 {
        try Sodium.ready()
        var digest = Bytes32()
        _ = unsafe digest.withUnsafeMutablePointer {
            unsafe crypto_hash_sha256($0, bytes, UInt64(bytes.count))
        }
        return digest
    }
}

/// BLAKE2b (RFC 7693), whose keyed digests look like random bytes without the key.
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
        // libsodium accepts an empty key and then computes an unkeyed digest, which an attacker can
        // compute.
        guard lengths.contains(key.count), lengths.contains(count) else {
            throw PushCryptError(
                .invalidKey,
                """
                BLAKE2b takes 16 to 64 bytes, not a key of \(key.count) and a digest of \(count). \
                Change the length.
                """)
        }
        // Fails for other lengths only.
        _ = unsafe digest.withUnsafeMutablePointer { output in
            unsafe bytes.withUnsafePointer { input in
                unsafe key.withUnsafePointer {
                    unsafe crypto_generichash(
                        output, count, input, UInt64(bytes.count), $0, key.count)
                }
            }
        }
    }

    /// Overwrites 16 to 64 bytes with the digest of some bytes, without a key.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    package static func hash(_ bytes: [UInt8], into digest: inout [UInt8]) throws(PushCryptError) {
        try Sodium.ready()
        let count = digest.count
        precondition(lengths.contains(count))
        _ = unsafe crypto_generichash(&digest, count, bytes, UInt64(bytes.count), nil, 0)
    }

    /// Returns the digest of some bytes in 32 bytes, without a key.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    package static func hash(_ bytes: [UInt8]) throws(PushCryptError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        try hash(bytes, into: &digest)
        return digest
    }

    /// Returns the keyed digest of some bytes, in 32 bytes.
    ///
    /// - Throws: ``PushCryptError`` with `invalidKey` if the key doesn't have 16 to 64 bytes, or
    ///   `sodiumUnavailable`.
    package static func hash(_ bytes: [UInt8], keyedBy key: SecretBytes) throws(PushCryptError)
        -> [UInt8]
    {
        var digest = [UInt8](repeating: 0, count: 32)
        var span = digest.mutableSpan
        try hash(bytes.span, keyedBy: key, into: &span)
        return digest
    }
}

/// Comparisons in constant time.
package enum ConstantTime {
    /// Returns a Boolean value that indicates whether two arrays are equal, in a time that depends
    /// on their lengths only.
    package static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        return unsafe sodium_memcmp(one, other, one.count) == 0
    }
}
