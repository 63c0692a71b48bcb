#if canImport(Darwin)
internal import Clibsodium
#else
internal import CSodium
#endif

/// SHA-256, which RFC 7638 thumbprints are made with.
package enum SHA256 {
    /// The hash of some bytes.
    package static func hash(_ bytes: [UInt8]) throws(PushCryptError) -> Bytes32 {
        try Sodium.ready()
        var digest = Bytes32()
        _ = unsafe digest.lendMutable { unsafe crypto_hash_sha256($0, bytes, UInt64(bytes.count)) }
        return digest
    }
}
