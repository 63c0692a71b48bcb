/// The public X25519 key of a device: what a server needs to seal messages for it.
public struct RecipientPublicKey: PublicKey {
    /// X25519.
    public static let curve = Curve.x25519

    /// The key itself.
    package let bytes: Bytes32

    /// The key's RFC 7638 thumbprint.
    public let thumbprint: Thumbprint

    /// The 8 bytes by which an envelope names the key, at hand because every message needs them.
    public let keyID: KeyID

    /// Checks and takes a public key.
    ///
    /// Refused are keys that libsodium would seal to although their owner could never open the message, or anybody
    /// could: those that are not canonical (RFC 7748 §5: 2^255 − 19 and above, or with the top bit set) and those of
    /// small order.
    ///
    /// - Parameter bytes: the u-coordinate of RFC 7748, little-endian, 32 bytes.
    /// - Throws: ``PushCryptError`` with `invalidKey`.
    public init(rawRepresentation bytes: [UInt8]) throws(PushCryptError) {
        try self.init(Bytes32(bytes.span))
    }

    /// The 32 bytes of the key.
    public var rawRepresentation: [UInt8] { bytes.array }

    init(_ bytes: Bytes32) throws(PushCryptError) {
        guard Self.isCanonical(bytes) else {
            throw PushCryptError(
                .invalidKey, "This X25519 public key is not canonical (RFC 7748 §5). Register the device's key again.")
        }
        guard !Self.isOfSmallOrder(bytes) else {
            throw PushCryptError(
                .invalidKey, "This X25519 public key is of small order, so it protects nothing. It is no device's key.")
        }
        self.bytes = bytes
        thumbprint = try Thumbprint(curve: .x25519, publicKey: bytes)
        keyID = thumbprint.keyID
    }

    /// Whether the number is below the field's prime, 2^255 − 19, whose bytes are ED FF … FF 7F.
    private static func isCanonical(_ bytes: Bytes32) -> Bool {
        guard bytes[31] & 0x80 == 0 else { return false }
        return bytes[31] != 0x7F || (1..<31).contains { bytes[$0] != 0xFF } || bytes[0] < 0xED
    }

    /// The five canonical points of small order on the curve and its twist (https://cr.yp.to/ecdh.html#validate): 0, 1,
    /// p − 1 and the two of order 8.
    ///
    /// Their non-canonical spellings are refused before.
    private static let smallOrder: [[UInt8]] = [
        [UInt8](repeating: 0, count: 32),
        [1] + [UInt8](repeating: 0, count: 31),
        [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        [
            0xE0, 0xEB, 0x7A, 0x7C, 0x3B, 0x41, 0xB8, 0xAE, 0x16, 0x56, 0xE3, 0xFA, 0xF1, 0x9F, 0xC4, 0x6A,
            0xDA, 0x09, 0x8D, 0xEB, 0x9C, 0x32, 0xB1, 0xFD, 0x86, 0x62, 0x05, 0x16, 0x5F, 0x49, 0xB8, 0x00,
        ],
        [
            0x5F, 0x9C, 0x95, 0xBC, 0xA3, 0x50, 0x8C, 0x24, 0xB1, 0xD0, 0xB1, 0x55, 0x9C, 0x83, 0xEF, 0x5B,
            0x04, 0x44, 0x5C, 0xC4, 0x58, 0x1C, 0x8E, 0x86, 0xD8, 0x22, 0x4E, 0xDD, 0xD0, 0x9F, 0x11, 0x57,
        ],
    ]

    private static func isOfSmallOrder(_ bytes: Bytes32) -> Bool {
        smallOrder.contains { point in point.indices.allSatisfy { point[$0] == bytes[$0] } }
    }
}
