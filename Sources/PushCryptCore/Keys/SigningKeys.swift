/// The public Ed25519 key of a sender, which devices check signatures with.
public struct VerificationKey: CurvePublicKey {
    package static let curve = Curve.ed25519

    package let bytes: Bytes32

    package let thumbprint: Bytes32

    /// Checks and stores a public key, which must be canonical, on the curve, in the main subgroup
    /// and not of small order.
    package init(_ bytes: Bytes32) throws(PushCryptError) {
        try Sodium.ready()
        guard Ed25519.isValid(bytes) else {
            throw PushCryptError(
                .invalidKey,
                "The Ed25519 public key is not valid. Use the public key of the sender.")
        }
        self.bytes = bytes
        thumbprint = try Self.thumbprint(of: bytes)
    }
}

/// The private Ed25519 key of a sender, which signs messages.
public final class SigningKey: CurvePrivateKey {
    package let secret: SecretBytes

    /// The public half, which devices check signatures with.
    public let publicKey: VerificationKey

    /// The private key of libsodium: the seed and the public key, 64 bytes.
    private let expanded: SecretBytes

    package init(secret: SecretBytes) throws(PushCryptError) {
        let pair = try Ed25519.keyPair(of: secret)
        publicKey = try VerificationKey(pair.publicKey)
        expanded = pair.secretKey
        self.secret = secret
    }

    /// Signs a part of a buffer and writes the signature of 64 bytes into another part of it.
    package func sign(_ message: Range<Int>, of buffer: inout [UInt8], into offset: Int)
        throws(PushCryptError)
    {
        try Ed25519.sign(message, of: &buffer, into: offset, with: expanded)
    }
}
