internal import Clibsodium
internal import Dispatch

/// The faster implementation of X25519 on this CPU, for sealing and for opening separately.
///
/// Sealing multiplies the base point and another one, and opening only another one. BoringSSL gains
/// more with the base point, so a CPU can be faster with BoringSSL for sealing and with libsodium
/// for opening. Features of the CPU don't tell them apart. Each choice is measured once per
/// process, when it's first needed, in less than a millisecond.
package enum X25519Choice {
    /// A Boolean value that indicates whether BoringSSL seals faster; `false` without the trait
    /// FastX25519.
    package static let boringSSLSeals = unsafe isFaster { _ in
        guard let key = BoringSSLKey() else { return false }
        var output = [UInt8](repeating: 0, count: 64)
        unsafe output.withUnsafeMutablePointer(0..<64) { bytes in
            unsafe key.writePublicKey(to: bytes)
            unsafe basePoint.withUnsafePointer { unsafe key.agree(with: $0, into: bytes + 32) }
        }
        return true
    } than: { secret, output in
        unsafe crypto_scalarmult_base(output, secret)
        unsafe basePoint.withUnsafePointer { _ = unsafe crypto_scalarmult(output + 32, secret, $0) }
    }

    /// A Boolean value that indicates whether BoringSSL opens faster; `false` without the trait
    /// FastX25519.
    package static let boringSSLOpens = unsafe isFaster { key in
        guard let key else { return false }
        var output = [UInt8](repeating: 0, count: 32)
        unsafe output.withUnsafeMutablePointer(0..<32) { bytes in
            unsafe basePoint.withUnsafePointer { unsafe key.agree(with: $0, into: bytes) }
        }
        return true
    } than: { secret, output in
        unsafe basePoint.withUnsafePointer { _ = unsafe crypto_scalarmult(output, secret, $0) }
    }

    /// The names of the implementations that run, such as `BoringSSL`, or `BoringSSL seals,
    /// libsodium 1.0.18 opens`.
    package static var description: String {
        let seals = name(isBoringSSL: boringSSLSeals)
        let opens = name(isBoringSSL: boringSSLOpens)
        return seals == opens ? seals : "\(seals) seals, \(opens) opens"
    }

    private static func name(isBoringSSL: Bool) -> String {
        isBoringSSL ? "BoringSSL" : "libsodium \(Sodium.version)"
    }

    /// The base point of the curve (RFC 7748, section 4.1), as any public key.
    private static let basePoint: Bytes32 = {
        var point = Bytes32()
        unsafe point.withUnsafeMutablePointer { unsafe $0.pointee = 9 }
        return point
    }()

    /// Compares BoringSSL with libsodium by the shortest of four turns each, so that an
    /// interruption doesn't count.
    private static func isFaster(
        _ boringSSL: (BoringSSLKey?) -> Bool,
        than libsodium: (UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>) -> Void
    ) -> Bool {
        // Any number serves as a secret key.
        let secret = [UInt8](repeating: 0x55, count: 32)
        guard (try? Sodium.ready()) != nil, let key = BoringSSLKey(secret.span), boringSSL(key)
        else { return false }
        var fast = UInt64.max
        var slow = UInt64.max
        for _ in 0..<4 {
            fast = min(fast, nanoseconds { _ = boringSSL(key) })
            slow = min(slow, nanoseconds { unsafe run(libsodium, secret) })
        }
        return fast < slow
    }

    private static func nanoseconds(_ work: () -> Void) -> UInt64 {
        let start = DispatchTime.now().uptimeNanoseconds
        work()
        return DispatchTime.now().uptimeNanoseconds - start
    }

    private static func run(
        _ libsodium: (UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>) -> Void, _ secret: [UInt8]
    ) {
        var output = [UInt8](repeating: 0, count: 64)
        unsafe output.withUnsafeMutablePointer(0..<64) { bytes in
            unsafe secret.span.withUnsafePointer { unsafe libsodium($0, bytes) }
        }
    }
}
