/// A public key: ``RecipientPublicKey`` or ``VerificationKey``.
public protocol PublicKey: Hashable, Sendable, CustomStringConvertible {
    /// Parses a public key from a JWK, a JWK Set or base64url.
    ///
    /// From a JWK Set, this takes the only key or the key with `"state":"primary"`; from a private
    /// key or a keyring, the public half. Base64url is the raw key in 43 characters without
    /// padding. White space around the text is ignored.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJWK`, `wrongKeyType`, `invalidKey` or
    ///   `multiplePrimaryKeys`.
    init(parsing text: some UTF8Text) throws(PushCryptError)

    /// Creates a public key from its 32 bytes.
    ///
    /// - Throws: ``PushCryptError`` with `invalidKey`.
    init(rawRepresentation bytes: [UInt8]) throws(PushCryptError)

    /// The 32 bytes of the key, as RFC 7748 or RFC 8032 encodes it.
    var rawRepresentation: [UInt8] { get }

    /// The RFC 7638 thumbprint of the key in 43 characters of base64url, as in the `kid` of its
    /// JWK.
    var kid: String { get }

    /// The key ID that messages contain: the first 8 bytes of the thumbprint.
    var keyID: KeyID { get }

    /// The key as a JWK (RFC 8037) on one line.
    var jwk: String { get }
}

/// The curves of RFC 8037 in use, with their names in a JWK's `crv`.
package enum Curve: String, Sendable {
    /// The curve of the keys that messages are sealed to.
    case x25519 = "X25519"
    /// The curve of the keys that messages are signed with.
    case ed25519 = "Ed25519"

    /// The value of a JWK's `use` for keys of this curve (RFC 7517 §4.2).
    package var use: String { self == .x25519 ? "enc" : "sig" }
}

/// The implementation that both public keys share.
package protocol CurvePublicKey: PublicKey {
    /// The curve of all keys of this type.
    static var curve: Curve { get }

    /// The 32 bytes of the key.
    var bytes: Bytes32 { get }

    /// The RFC 7638 thumbprint of the key.
    var thumbprint: Bytes32 { get }

    /// Checks and stores the 32 bytes of a key.
    init(_ bytes: Bytes32) throws(PushCryptError)
}

extension CurvePublicKey {
    /// Parses a public key from a JWK, a JWK Set or base64url.
    public init(parsing text: some UTF8Text) throws(PushCryptError) {
        let bytes = text.bytesForPushCrypt
        try self.init(parsing: bytes.span)
    }

    /// Creates a public key from its 32 bytes.
    public init(rawRepresentation bytes: [UInt8]) throws(PushCryptError) {
        try self.init(Bytes32(bytes.span))
    }

    /// Creates a public key from the public half of a JWK.
    package init(_ jwk: JWK) throws(PushCryptError) {
        try jwk.require(Self.curve)
        try self.init(jwk.publicKey)
    }

    /// The 32 bytes of the key.
    public var rawRepresentation: [UInt8] { bytes.array }

    /// The first 8 bytes of the thumbprint.
    public var keyID: KeyID { KeyID(thumbprint) }

    /// The thumbprint in 43 characters of base64url.
    public var kid: String { Base64URL.encode(thumbprint.array) }

    /// Computes the thumbprint of a key (RFC 7638 §3, with the members that RFC 8037 §2 requires).
    static func thumbprint(of bytes: Bytes32) throws(PushCryptError) -> Bytes32 {
        let canonical =
            #"{"crv":"\#(curve.rawValue)","kty":"OKP","x":"\#(Base64URL.encode(bytes.array))"}"#
        return try SHA256.hash(Array(canonical.utf8))
    }

    /// The key as a JWK on one line.
    public var jwk: String {
        let x = Base64URL.encode(rawRepresentation)
        let curve = Self.curve
        return #"{"kty":"OKP","crv":"\#(curve.rawValue)","use":"\#(curve.use)""#
            + #","kid":"\#(kid)","x":"\#(x)"}"#
    }

    /// The key as a JWK on one line.
    public var description: String { jwk }

    /// Parses a public key in any form from bytes, which may be guarded memory.
    package init(parsing bytes: Span<UInt8>) throws(PushCryptError) {
        let text = bytes.extracting(JSONText.trimmed(bytes))
        // A byte order mark has an error of its own.
        guard text.count > 0, [UInt8(ascii: "{"), 0xEF].contains(text[0]) else {
            guard text.count == SecretBase64.encodedLength, let raw = try? Base64URL.decode(text)
            else {
                throw PushCryptError(
                    .malformedJWK,
                    """
                    The text is \(Self.problem(with: bytes)). Use a JWK, a JWK Set or 43 \
                    characters of base64url.
                    """)
            }
            try self.init(rawRepresentation: raw)
            return
        }
        let document = try JSONDocument(scanningKey: text)
        let jwk =
            document.member("keys", in: text) != nil
            ? try JWKSet(text, document).primary(text) : try JWK(text, document, of: document.root)
        try self.init(jwk)
    }

    /// Returns the form of a text that isn't a key in a form that the parser knows.
    private static func problem(with bytes: Span<UInt8>) -> String {
        let text = bytes.extracting(JSONText.trimmed(bytes))
        func has(_ start: String) -> Bool {
            text.count >= start.utf8.count
                && start.utf8.enumerated().allSatisfy { text[$0.offset] == $0.element }
        }
        func isMade(of characters: String) -> Bool {
            text.indices.allSatisfy { index in characters.utf8.contains(text[index]) }
        }
        if bytes.count == 0 { return "empty" }
        // A byte order mark, or the zero beside each letter.
        if text.count > 1, [text[0], text[1]].contains(where: { $0 == 0 || $0 >= 0xFE }) {
            return "in UTF-16, and must be in UTF-8"
        }
        if has("-----BEGIN") { return "PEM, not a JWK" }
        if has("ssh-") { return "a key of OpenSSH, not a JWK" }
        let digits = "0123456789abcdefABCDEF"
        if text.count == 64, isMade(of: digits) { return "hexadecimal, not base64url" }
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
        if (43...44).contains(text.count), isMade(of: letters + "+/="), !isMade(of: letters) {
            return "base64 with padding or other characters, not base64url"
        }
        return "not a key"
    }
}
