/// The private X25519 key of a device, with which it opens what was sealed to its public key.
public final class RecipientPrivateKey: PrivateKey {
    /// The secret key, 32 bytes in guarded memory, for the package's own use.
    public let secret: SecretBytes

    /// The public half: what the device registers with its server.
    public let publicKey: RecipientPublicKey

    /// Makes a new key from the system's random bytes.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    public convenience init() throws(PushCryptError) {
        try self.init(secret: X25519.makeSecretKey(), belongingTo: nil)
    }

    /// Takes a secret key in guarded memory, and checks that it belongs to the public key that came with it.
    ///
    /// - Parameters:
    ///   - secret: the secret key of RFC 7748, 32 bytes.
    ///   - publicKey: the public key that it must belong to; `nil` where none came with it.
    /// - Throws: ``PushCryptError`` with `invalidKey` or `keyPairMismatch`.
    public init(secret: SecretBytes, belongingTo publicKey: RecipientPublicKey?) throws(PushCryptError) {
        let own = try RecipientPublicKey(X25519.publicKey(of: secret))
        try Self.require(own, toBe: publicKey)
        self.secret = secret
        self.publicKey = own
    }
}
