/// The private Ed25519 key of a sender, with which it signs messages.
public final class SigningKey: PrivateKey {
    /// The seed, 32 bytes in guarded memory, for the package's own use.
    public let secret: SecretBytes

    /// The public half: what devices check signatures with.
    public let publicKey: VerificationKey

    /// libsodium's form of the private key: seed and public key, 64 bytes.
    private let expanded: SecretBytes

    /// Makes a new key from the system's random bytes.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    public convenience init() throws(PushCryptError) {
        try self.init(secret: Ed25519.makeSeed(), belongingTo: nil)
    }

    /// Takes a seed in guarded memory, and checks that it belongs to the public key that came with it.
    ///
    /// - Parameters:
    ///   - secret: the seed, which RFC 8032 calls the private key, 32 bytes.
    ///   - publicKey: the public key that it must belong to; `nil` where none came with it.
    /// - Throws: ``PushCryptError`` with `invalidKey` or `keyPairMismatch`.
    public init(secret: SecretBytes, belongingTo publicKey: VerificationKey?) throws(PushCryptError) {
        let pair = try Ed25519.keyPair(of: secret)
        let own = try VerificationKey(pair.publicKey)
        try Self.require(own, toBe: publicKey)
        self.secret = secret
        expanded = pair.secretKey
        self.publicKey = own
    }

    /// Signs a part of a buffer and writes the signature, 64 bytes, into the same buffer behind it.
    package func sign(_ message: Range<Int>, of buffer: inout [UInt8], into offset: Int) throws(PushCryptError) {
        try Ed25519.sign(message, of: &buffer, into: offset, with: expanded)
    }
}
