/// A private key: ``RecipientPrivateKey`` or ``SigningKey``.
///
/// Code outside of this package can't read the secret bytes.
public protocol PrivateKey: Sendable, CustomStringConvertible {
    /// The type of the public half.
    associatedtype Public: PublicKey

    /// Creates a random key.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    init() throws(PushCryptError)

    /// Parses a private JWK (RFC 8037).
    ///
    /// - Parameter jwk: The JWK in UTF-8, with the secret key of X25519 or the seed of Ed25519 in
    ///   `d`. The caller wipes this copy.
    /// - Throws: ``PushCryptError`` with `malformedJWK`, `wrongKeyType`, `invalidKey` or
    ///   `keyPairMismatch`.
    init(jwk: [UInt8]) throws(PushCryptError)

    /// The public half.
    var publicKey: Public { get }
}

/// The implementation that both private keys share.
package protocol CurvePrivateKey: PrivateKey where Public: CurvePublicKey {
    /// The secret key of X25519 or the seed of Ed25519, 32 bytes.
    var secret: SecretBytes { get }

    /// Creates a key from its 32 secret bytes.
    ///
    /// - Throws: ``PushCryptError`` with `invalidKey`.
    init(secret: SecretBytes) throws(PushCryptError)
}

extension CurvePrivateKey {
    /// Creates a random key.
    public init() throws(PushCryptError) {
        try self.init(secret: SecretBytes(randomCount: 32))
    }

    /// Parses a private JWK (RFC 8037).
    public init(jwk: [UInt8]) throws(PushCryptError) {
        try self.init(pairOf: JWK(parsing: jwk.span))
    }

    /// Creates a key from both halves of a JWK.
    init(pairOf jwk: JWK) throws(PushCryptError) {
        try jwk.require(Public.curve)
        guard let secret = jwk.privateKey else {
            throw PushCryptError(
                .wrongKeyType, "The JWK is a public key, without \"d\". Use a private key.")
        }
        let publicKey = try Public(jwk.publicKey)
        try self.init(secret: secret)
        // The public half of `d` must be `x`. X25519 ignores some bits of `d`.
        guard self.publicKey == publicKey else {
            throw PushCryptError(
                .keyPairMismatch,
                """
                The JWK's private half "d" does not belong to its public half "x". Use a JWK \
                with both halves.
                """)
        }
    }

    /// The type and the ID of the key, without the private half.
    public var description: String { "private \(Public.curve.rawValue) key \(publicKey.keyID)" }
}

// A public protocol can't have requirements for the package only. These methods find the
// implementation at run time.
extension PrivateKey {
    /// Creates a key of this type from both halves of a JWK.
    package init(_ jwk: JWK) throws(PushCryptError) {
        guard let type = Self.self as? any CurvePrivateKey.Type,
            let key = try type.init(pairOf: jwk) as? Self
        else {
            throw Self.unsupported
        }
        self = key
    }

    /// Returns the 32 secret bytes.
    package func secretBytes() throws(PushCryptError) -> SecretBytes {
        guard let key = self as? any CurvePrivateKey else { throw Self.unsupported }
        return key.secret
    }

    private static var unsupported: PushCryptError {
        PushCryptError(
            .wrongKeyType,
            "\(Self.self) is not a key of this package. Use RecipientPrivateKey or SigningKey.")
    }
}
