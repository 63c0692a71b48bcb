#if canImport(Darwin)
internal import Clibsodium
#else
internal import CSodium
#endif

/// Random bytes from the system's generator, by way of `randombytes_buf`.
package enum RandomBytes {
    /// Overwrites a part of a buffer with random bytes.
    package static func fill(_ buffer: inout [UInt8], _ range: Range<Int>) throws(PushCryptError) {
        try Sodium.ready()
        unsafe buffer.lendMutable(range) { unsafe randombytes_buf($0, range.count) }
    }
}
