/// A private key of either kind: ``RecipientPrivateKey`` or ``SigningKey``.
///
/// There is no property for the secret bytes that anybody outside of the package could read. They leave the process in
/// one way only, `exportWithPrivateKeys`, which is easy to search for.
public protocol PrivateKey: Sendable, CustomStringConvertible {
    /// The kind of its public half.
    associatedtype Public: PublicKey

    /// Makes a new key from the system's random bytes.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    init() throws(PushCryptError)

    /// Takes a secret in guarded memory, and checks that it belongs to the public key that came with it.
    ///
    /// - Parameters:
    ///   - secret: 32 bytes, the secret key of X25519 or the seed of Ed25519.
    ///   - publicKey: the public key that it must belong to; `nil` where none came with it.
    /// - Throws: ``PushCryptError`` with `invalidKey` or `keyPairMismatch`.
    init(secret: SecretBytes, belongingTo publicKey: Public?) throws(PushCryptError)

    /// The private half, in guarded memory, for the package's own use.
    var secret: SecretBytes { get }

    /// The public half.
    var publicKey: Public { get }
}

extension PrivateKey {
    /// Takes a private JWK (RFC 8037): `d` is the 32-byte secret key of X25519 or the 32-byte seed of Ed25519.
    ///
    /// - Parameter jwk: the JWK in UTF-8. The caller's copy is the caller's to wipe.
    /// - Throws: ``PushCryptError`` with `malformedJWK`, `wrongKeyType`, `invalidKey` or `keyPairMismatch`.
    public init(jwk: [UInt8]) throws(PushCryptError) {
        try self.init(JWK(parsing: jwk.span))
    }

    /// Takes a private JWK that was read.
    package init(_ jwk: JWK) throws(PushCryptError) {
        let secret = try jwk.privateHalf(on: Public.curve)
        try self.init(secret: secret, belongingTo: Public(rawRepresentation: jwk.publicKey.array))
    }

    /// What kind of key it is and its key id; nothing of the private half.
    public var description: String { "private \(Public.curve.rawValue) key \(publicKey.keyID)" }

    /// Refuses a secret that came with somebody else's public key.
    ///
    /// Public keys are compared, never secret ones: X25519 ignores some bits of a secret key, so two different secrets may
    /// be one key.
    static func require(_ own: Public, toBe publicKey: Public?) throws(PushCryptError) {
        if let publicKey, publicKey != own {
            throw PushCryptError(
                .keyPairMismatch,
                "The private half \"d\" of this \(Public.curve.rawValue) key does not belong to its public half \"x\".")
        }
    }
}
