/// The public X25519 key of a device, which a server seals messages to.
public struct RecipientPublicKey: CurvePublicKey {
    package static let curve = Curve.x25519

    package let bytes: Bytes32

    package let thumbprint: Bytes32

    /// The libraries that compute X25519 in this process.
    package static var backend: String { X25519Choice.description }

    /// Checks and stores a public key, which must be canonical (RFC 7748 §5) and not of small
    /// order.
    package init(_ bytes: Bytes32) throws(PushCryptError) {
        guard Self.isCanonical(bytes) else {
            throw PushCryptError(
                .invalidKey,
                "The X25519 public key is not canonical (RFC 7748 §5). Register the device again.")
        }
        guard !Self.smallOrder.contains(Base64URL.encode(bytes.array)) else {
            throw PushCryptError(
                .invalidKey,
                """
                The X25519 public key has a small order and protects nothing. Register the device \
                again.
                """)
        }
        self.bytes = bytes
        thumbprint = try Self.thumbprint(of: bytes)
    }

    /// Returns a Boolean value that indicates whether the number is below the prime of the field,
    /// 2^255 − 19: the bytes ED FF … FF 7F.
    private static func isCanonical(_ bytes: Bytes32) -> Bool {
        guard bytes[31] & 0x80 == 0 else { return false }
        return bytes[31] != 0x7F || (1..<31).contains { bytes[$0] != 0xFF } || bytes[0] < 0xED
    }

    /// The five canonical points of small order on the curve and its twist: 0, 1, p − 1 and the two
    /// points of order 8 (https://cr.yp.to/ecdh.html#validate), in base64url.
    private static let smallOrder: Set<String> = [
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "7P_______________________________________38",
        "4Ot6fDtBuK4WVuP68Z_EatoJjeucMrH9hmIFFl9JuAA",
        "X5yVvKNQjCSx0LFVnIPvWwREXMRYHI6G2CJO3dCfEVc",
    ]
}

/// The private X25519 key of a device, which opens messages that are sealed to its public key.
public final class RecipientPrivateKey: CurvePrivateKey {
    /// The key pair that opens sealed boxes.
    package let pair: X25519KeyPair

    package var secret: SecretBytes { pair.secret }

    /// The public half, which the device registers with its server.
    public let publicKey: RecipientPublicKey

    package init(secret: SecretBytes) throws(PushCryptError) {
        pair = try X25519KeyPair(secret: secret)
        publicKey = try RecipientPublicKey(pair.publicKey)
    }
}
