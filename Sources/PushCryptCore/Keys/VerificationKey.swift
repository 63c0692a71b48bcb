/// The public Ed25519 key of a sender: what a device checks signatures with.
public struct VerificationKey: PublicKey {
    /// Ed25519.
    public static let curve = Curve.ed25519

    /// The key itself.
    package let bytes: Bytes32

    /// The key's RFC 7638 thumbprint.
    public let thumbprint: Thumbprint

    /// Checks and takes a public key: it must be canonical, on the curve, in its main subgroup and not of small order.
    ///
    /// - Parameter bytes: the point as RFC 8032 §5.1.2 encodes it, 32 bytes.
    /// - Throws: ``PushCryptError`` with `invalidKey`.
    public init(rawRepresentation bytes: [UInt8]) throws(PushCryptError) {
        try self.init(Bytes32(bytes.span))
    }

    /// The 32 bytes of the key.
    public var rawRepresentation: [UInt8] { bytes.array }

    init(_ bytes: Bytes32) throws(PushCryptError) {
        try Sodium.ready()
        guard Ed25519.isValid(bytes) else {
            throw PushCryptError(.invalidKey, "This is no Ed25519 public key that signatures can be checked with.")
        }
        self.bytes = bytes
        thumbprint = try Thumbprint(curve: .ed25519, publicKey: bytes)
    }
}
