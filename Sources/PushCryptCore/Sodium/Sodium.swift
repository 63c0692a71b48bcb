// This folder is the boundary to libsodium: the only place that imports it. Everything that leaves the folder takes
// spans and arrays and throws; no pointer does. Outside of it and of System/ (the kernel's file calls), no source of the
// libraries or the tool contains `unsafe`, and a test holds them to that.
#if canImport(Darwin)
internal import Clibsodium
#else
internal import CSodium
#endif

/// libsodium itself: started once, before its first use.
package enum Sodium {
    /// libsodium wants `sodium_init` before anything else; it returns 0, or 1 where somebody else has called it
    /// already, both fit for use, and −1 where it cannot work (https://doc.libsodium.org/usage).
    ///
    /// A `static let` runs once, and every thread waits for it.
    private static let status = sodium_init()

    /// Makes sure that libsodium is ready for use.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` where it cannot be started.
    @inline(__always)
    package static func ready() throws(PushCryptError) {
        guard status >= 0 else {
            throw PushCryptError(
                .sodiumUnavailable,
                "libsodium could not be started (sodium_init failed). Check that the system can supply random bytes.")
        }
    }
}
