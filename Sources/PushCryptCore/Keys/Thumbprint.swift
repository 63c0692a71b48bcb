/// A key's RFC 7638 thumbprint: SHA-256 over the canonical JSON of its public half.
///
/// In a JWK it is the `kid`.
///
/// It is always computed from the key. A `kid` that arrives with a key is not believed.
public struct Thumbprint: Hashable, Sendable {
    private let digest: Bytes32

    /// Computes the thumbprint of a public key (RFC 7638 §3, with the members that RFC 8037 §2 requires).
    init(curve: Curve, publicKey: Bytes32) throws(PushCryptError) {
        let canonical = #"{"crv":"\#(curve.rawValue)","kty":"OKP","x":"\#(Base64URL.encode(publicKey.array))"}"#
        digest = try SHA256.hash(Array(canonical.utf8))
    }

    /// The 8 bytes that stand for the key in an envelope.
    public var keyID: KeyID { KeyID(digest) }
}

extension Thumbprint: CustomStringConvertible {
    /// The 43 characters of base64url that a `kid` holds.
    public var description: String { Base64URL.encode(digest.array) }
}
