// Only this directory imports libsodium. Its functions take spans, arrays, `Bytes32` and
// `SecretBytes`.
internal import Clibsodium

/// The state of libsodium, which starts once.
package enum Sodium {
    /// The result of `sodium_init`, which is negative if libsodium can't work
    /// (https://doc.libsodium.org/usage).
    private static let status = sodium_init()

    /// The version of libsodium, such as `1.0.18`.
    package static var version: String { unsafe String(cString: sodium_version_string()) }

    /// Starts libsodium if necessary, before its first use.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    @inline(__always)
    package static func ready() throws(PushCryptError) {
        guard status >= 0 else {
            throw PushCryptError(
                .sodiumUnavailable,
                "libsodium could not start. Check that the system supplies random bytes.")
        }
    }
}

/// Random bytes from the generator of the system.
package enum RandomBytes {
    /// Overwrites a part of a buffer with random bytes.
    package static func fill(_ buffer: inout [UInt8], _ range: Range<Int>) throws(PushCryptError) {
        try Sodium.ready()
        unsafe buffer.withUnsafeMutablePointer(range) { unsafe randombytes_buf($0, range.count) }
    }

    /// Returns eight random bytes as an integer.
    package static func word() throws(PushCryptError) -> UInt64 {
        try Sodium.ready()
        var word: UInt64 = 0
        unsafe randombytes_buf(&word, 8)
        return word
    }
}
