/// A public key of either kind: ``RecipientPublicKey`` or ``VerificationKey``.
public protocol PublicKey: Hashable, Sendable, CustomStringConvertible {
    /// The curve that all keys of this kind are on.
    static var curve: Curve { get }

    /// Checks and takes the 32 bytes of a public key.
    ///
    /// - Parameter bytes: the key as RFC 7748 or RFC 8032 encodes it, 32 bytes.
    /// - Throws: ``PushCryptError`` with `invalidKey`.
    init(rawRepresentation bytes: [UInt8]) throws(PushCryptError)

    /// The 32 bytes of the key.
    var rawRepresentation: [UInt8] { get }

    /// The key's RFC 7638 thumbprint.
    var thumbprint: Thumbprint { get }
}

extension PublicKey {
    /// The 8 bytes by which messages name the key.
    public var keyID: KeyID { thumbprint.keyID }

    /// The key as a JWK (RFC 8037) on one line, fit to be sent to whoever needs it.
    public var jwk: String {
        let x = Base64URL.encode(rawRepresentation)
        return
            #"{"kty":"OKP","crv":"\#(Self.curve.rawValue)","use":"\#(Self.curve.use)","kid":"\#(thumbprint)","x":"\#(x)"}"#
    }

    /// The key as a JWK.
    public var description: String { jwk }
}
