/// One JSON Web Key (RFC 7517) of the kind `OKP` (RFC 8037), read from bytes that may hold a private key.
///
/// It is read by offsets, straight from the caller's memory into guarded memory: Foundation's decoders would leave
/// copies of the private half in memory that nobody wipes.
package struct JWK: Sendable {
    /// From `crv`.
    package let curve: Curve

    /// From `x`.
    package let publicKey: Bytes32

    /// From `d`, where there is one.
    package let privateKey: SecretBytes?

    /// Reads the one JWK that some bytes are.
    package init(parsing bytes: Span<UInt8>) throws(PushCryptError) {
        try self.init(bytes, Self.scan(bytes))
    }

    /// Reads a JWK whose bytes were scanned.
    init(_ bytes: Span<UInt8>, _ document: JSONDocument) throws(PushCryptError) {
        guard try Self.string("kty", bytes, document) == "OKP" else {
            throw PushCryptError(.wrongKeyType, "The JWK's \"kty\" is not \"OKP\" (RFC 8037).")
        }
        guard let curve = Curve(rawValue: try Self.string("crv", bytes, document)) else {
            throw PushCryptError(.wrongKeyType, "The JWK's \"crv\" is neither \"X25519\" nor \"Ed25519\".")
        }
        if document.member("use", in: bytes) != nil {
            guard try Self.string("use", bytes, document) == curve.use else {
                throw PushCryptError(
                    .wrongKeyType,
                    "The JWK's \"use\" is not \"\(curve.use)\", which is what a \(curve.rawValue) key is for.")
            }
        }
        self.curve = curve
        publicKey = try Self.publicHalf(bytes, document)
        privateKey = try Self.privateHalf(bytes, document)
    }

    private static func publicHalf(_ bytes: Span<UInt8>, _ document: JSONDocument) throws(PushCryptError) -> Bytes32 {
        let x = try text("x", bytes, document)
        guard let raw = try? Base64URL.decode(bytes.extracting(x)), raw.count == 32 else {
            throw PushCryptError(.malformedJWK, "The JWK's \"x\" is not 32 bytes in base64url without padding.")
        }
        return try Bytes32(raw.span)
    }

    private static func privateHalf(
        _ bytes: Span<UInt8>, _ document: JSONDocument
    ) throws(PushCryptError) -> SecretBytes? {
        guard document.member("d", in: bytes) != nil else { return nil }
        let d = try text("d", bytes, document)
        return try SecretBase64.decodeKey(bytes.extracting(d))
    }

    /// The private half, of a key on the curve that is needed.
    func privateHalf(on needed: Curve) throws(PushCryptError) -> SecretBytes {
        try require(needed)
        guard let privateKey else {
            throw PushCryptError(
                .wrongKeyType, "A private key is needed here; this JWK is a public one, without \"d\".")
        }
        return privateKey
    }

    /// Refuses a key on another curve than is needed.
    func require(_ needed: Curve) throws(PushCryptError) {
        guard curve == needed else {
            throw PushCryptError(
                .wrongKeyType,
                "An \(needed.rawValue) key (\"use\":\"\(needed.use)\") is needed here; this is an \(curve.rawValue) key."
            )
        }
    }

    // MARK: Members

    package static func scan(_ bytes: Span<UInt8>) throws(PushCryptError) -> JSONDocument {
        do throws(JSONProblem) {
            return try JSONScanner.scan(bytes)
        } catch {
            throw PushCryptError(
                .malformedJWK, "The key is not strict JSON: at byte \(error.offset), \(error.what.rawValue).")
        }
    }

    /// Where the text of a member is that must be a string without escapes, as base64url is.
    private static func text(
        _ name: String, _ bytes: Span<UInt8>, _ document: JSONDocument
    ) throws(PushCryptError) -> Range<Int> {
        guard let member = document.member(name, in: bytes), document.kind(of: member, in: bytes) == .string else {
            throw PushCryptError(.malformedJWK, "The JWK has no string \"\(name)\".")
        }
        return (member.value.lowerBound + 1)..<(member.value.upperBound - 1)
    }

    /// A member that must be a string, of which nothing is secret.
    package static func string(
        _ name: String, _ bytes: Span<UInt8>, _ document: JSONDocument
    ) throws(PushCryptError) -> String {
        let text = JSONText.decoded(bytes, try text(name, bytes, document))
        // Swift's strings are equal where Unicode calls them equivalent ("K" and the Kelvin sign); all that is expected here
        // is ASCII, and there equal means equal.
        guard text.allSatisfy({ $0 < 0x80 }) else {
            throw PushCryptError(.malformedJWK, "The JWK's \"\(name)\" has characters that are not ASCII.")
        }
        return String(decoding: text, as: UTF8.self)
    }
}
