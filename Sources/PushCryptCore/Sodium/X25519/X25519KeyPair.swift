internal import Clibsodium

/// A key pair of X25519, which opens sealed boxes.
package struct X25519KeyPair: Sendable {
    /// The secret key, 32 bytes.
    package let secret: SecretBytes

    /// The public key.
    package let publicKey: Bytes32

    /// The same key for BoringSSL, if it opens faster; creating it for each message would take too
    /// long.
    package var boringSSL: BoringSSLKey?

    /// Computes the public key of a secret key.
    ///
    /// - Throws: ``PushCryptError`` with `invalidKey`.
    package init(secret: SecretBytes) throws(PushCryptError) {
        guard secret.count == 32 else {
            throw PushCryptError(
                .invalidKey,
                """
                An X25519 private key has 32 bytes, and this key has \(secret.count). Check the \
                key.
                """)
        }
        var publicKey = Bytes32()
        _ = unsafe publicKey.withUnsafeMutablePointer { output in
            unsafe secret.withUnsafePointer { unsafe crypto_scalarmult_base(output, $0) }
        }
        self.secret = secret
        self.publicKey = publicKey
        boringSSL = X25519Choice.boringSSLOpens ? secret.withSpan { BoringSSLKey($0) } : nil
    }
}
