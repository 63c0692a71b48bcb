#if FastX25519
internal import Crypto
#endif

/// A secret key for X25519 of BoringSSL, through swift-crypto; without the trait FastX25519, there
/// are no such keys.
///
/// swift-crypto holds a copy in ordinary memory and wipes it with the last reference to it.
package struct BoringSSLKey: Sendable {
    #if FastX25519
    private let key: Curve25519.KeyAgreement.PrivateKey

    /// Creates a random key.
    package init?() { key = Curve25519.KeyAgreement.PrivateKey() }

    /// Copies the 32 bytes of a key, and computes its public key, which takes 0.4 times as long as
    /// ``agree(with:into:)``.
    package init?(_ bytes: Span<UInt8>) {
        guard
            let key = unsafe bytes.withUnsafeBytes({
                unsafe try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0)
            })
        else { return nil }
        self.key = key
    }

    /// Writes the 32 bytes of the public key.
    package func writePublicKey(to target: UnsafeMutablePointer<UInt8>) {
        unsafe UnsafeMutableRawBufferPointer(start: target, count: 32).copyBytes(
            from: key.publicKey.rawRepresentation)
    }

    /// Writes the 32 bytes that the key shares with a public key; zeros for one of small order,
    /// which BoringSSL accepts.
    package func agree(
        with publicKey: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>
    ) {
        let bytes = unsafe UnsafeRawBufferPointer(start: publicKey, count: 32)
        guard let other = unsafe try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes),
            let shared = try? key.sharedSecretFromKeyAgreement(with: other)
        else { return }
        unsafe shared.withUnsafeBytes {
            unsafe UnsafeMutableRawBufferPointer(start: target, count: 32).copyMemory(from: $0)
        }
    }
    #else
    package init?() { return nil }
    package init?(_ bytes: Span<UInt8>) { return nil }
    package func writePublicKey(to target: UnsafeMutablePointer<UInt8>) {}
    package func agree(
        with publicKey: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>
    ) {}
    #endif
}
