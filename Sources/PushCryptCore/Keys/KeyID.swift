/// The first 8 bytes of a key's thumbprint, which name the key in a message.
public struct KeyID: Hashable, Sendable {
    /// The length of a key id in a message, in bytes.
    package static let length = 8

    private let value: UInt64

    init(_ thumbprint: Bytes32) {
        value = thumbprint.leadingWord
    }

    /// Reads the 8 bytes at an offset.
    package init(_ bytes: Span<UInt8>, at offset: Int) {
        value = UInt64(bigEndianBytes: bytes, at: offset)
    }

    /// The 8 bytes as in a message.
    package var bytes: [UInt8] { value.bigEndianBytes }

    /// Writes the 8 bytes into a buffer.
    package func write(to buffer: inout [UInt8], at offset: Int) {
        buffer.store(bigEndian: value, at: offset)
    }
}

extension KeyID: CustomStringConvertible {
    /// The id in 11 characters of base64url; the key's `kid` begins with the first 10.
    public var description: String { Base64URL.encode(bytes) }
}

/// The RFC 7638 thumbprint of a key: SHA-256 of the canonical JSON of its public half.
///
/// It is the `kid` of a JWK. It is always computed; a received `kid` is not trusted.
public struct Thumbprint: Hashable, Sendable {
    private let digest: Bytes32

    /// Computes the thumbprint of a public key (RFC 7638 §3, with the members that RFC 8037 §2 requires).
    init(curve: Curve, publicKey: Bytes32) throws(PushCryptError) {
        let canonical = #"{"crv":"\#(curve.rawValue)","kty":"OKP","x":"\#(Base64URL.encode(publicKey.array))"}"#
        digest = try SHA256.hash(Array(canonical.utf8))
    }

    /// The first 8 bytes.
    package var keyID: KeyID { KeyID(digest) }
}

extension Thumbprint: CustomStringConvertible {
    /// The thumbprint in 43 characters of base64url, as in a `kid`.
    public var description: String { Base64URL.encode(digest.array) }
}
