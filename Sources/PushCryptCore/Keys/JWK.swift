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
        let document = try Self.scan(bytes)
        try self.init(bytes, document, document.root)
    }

    /// Reads a JWK that is a value in a scanned document.
    init(_ bytes: Span<UInt8>, _ document: JSONDocument, _ object: JSONDocument.Value) throws(PushCryptError) {
        guard try document.asciiString("kty", of: object, in: bytes) == "OKP" else {
            throw PushCryptError(.wrongKeyType, "The JWK's \"kty\" is not \"OKP\" (RFC 8037).")
        }
        guard let curve = Curve(rawValue: try document.asciiString("crv", of: object, in: bytes)) else {
            throw PushCryptError(.wrongKeyType, "The JWK's \"crv\" is neither \"X25519\" nor \"Ed25519\".")
        }
        if document.member("use", of: object, in: bytes) != nil {
            guard try document.asciiString("use", of: object, in: bytes) == curve.use else {
                throw PushCryptError(
                    .wrongKeyType,
                    "The JWK's \"use\" is not \"\(curve.use)\", which is what a \(curve.rawValue) key is for.")
            }
        }
        self.curve = curve
        publicKey = try Self.publicHalf(bytes, document, object)
        privateKey = try Self.privateHalf(bytes, document, object)
    }

    private static func publicHalf(
        _ bytes: Span<UInt8>, _ document: JSONDocument, _ object: JSONDocument.Value
    ) throws(PushCryptError) -> Bytes32 {
        let x = try document.text("x", of: object, in: bytes)
        guard let raw = try? Base64URL.decode(bytes.extracting(x)), raw.count == 32 else {
            throw PushCryptError(.malformedJWK, "The JWK's \"x\" is not 32 bytes in base64url without padding.")
        }
        return try Bytes32(raw.span)
    }

    private static func privateHalf(
        _ bytes: Span<UInt8>, _ document: JSONDocument, _ object: JSONDocument.Value
    ) throws(PushCryptError) -> SecretBytes? {
        guard document.member("d", of: object, in: bytes) != nil else { return nil }
        let d = try document.text("d", of: object, in: bytes)
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
}

extension JSONDocument {
    /// Returns the text of a string member without escapes, as base64url has none.
    func text(_ name: String, of object: Value, in bytes: Span<UInt8>) throws(PushCryptError) -> Range<Int> {
        guard let member = member(name, of: object, in: bytes), member.kind == .string else {
            throw PushCryptError(.malformedJWK, "The JWK has no string \"\(name)\".")
        }
        return member.contents
    }

    /// Returns a string member in ASCII that isn't secret.
    package func asciiString(
        _ name: String, of object: Value, in bytes: Span<UInt8>
    ) throws(PushCryptError) -> String {
        let text = JSONText.decoded(bytes, try text(name, of: object, in: bytes))
        // Swift compares strings by Unicode equivalence: "K" equals the Kelvin sign. In ASCII, equal means equal bytes.
        guard text.allSatisfy({ $0 < 0x80 }) else {
            throw PushCryptError(.malformedJWK, "The JWK's \"\(name)\" has characters that are not ASCII.")
        }
        return String(decoding: text, as: UTF8.self)
    }
}
