/// A JSON Web Key (RFC 7517) of type `OKP` (RFC 8037), which may contain a private key.
///
/// The private half is decoded directly into guarded memory. Foundation's decoders would leave
/// copies that aren't wiped.
package struct JWK: Sendable {
    /// The curve, from `crv`.
    package let curve: Curve

    /// The public half, from `x`.
    package let publicKey: Bytes32

    /// The private half, from `d`; `nil` for a public key.
    package let privateKey: SecretBytes?

    /// Parses a JWK.
    package init(parsing bytes: Span<UInt8>) throws(PushCryptError) {
        let document = try JSONDocument(scanningKey: bytes)
        try self.init(bytes, document, of: document.root)
    }

    /// Parses a JWK that is a value of a scanned document.
    package init(
        _ bytes: Span<UInt8>, _ document: JSONDocument, of object: JSONDocument.Value
    ) throws(PushCryptError) {
        curve = try Self.curve(of: object, document, bytes)
        let x = try document.text("x", of: object, in: bytes)
        guard let raw = try? Base64URL.decode(bytes.extracting(x)), raw.count == 32 else {
            throw PushCryptError(
                .malformedJWK,
                "The JWK's \"x\" is not 32 bytes in base64url without padding. Check the key.")
        }
        publicKey = try Bytes32(raw.span)
        guard document.member("d", of: object, in: bytes) != nil else {
            privateKey = nil
            return
        }
        let d = try document.text("d", of: object, in: bytes)
        privateKey = try SecretBase64.decodeKey(bytes.extracting(d))
    }

    /// Returns the curve of a JWK, whose type and use must fit it.
    private static func curve(
        of object: JSONDocument.Value, _ document: JSONDocument, _ bytes: Span<UInt8>
    ) throws(PushCryptError) -> Curve {
        guard document.member("kty", of: object, in: bytes) != nil else {
            throw PushCryptError(
                .malformedJWK, "This isn't a key: \"kty\" is missing. Use a JWK or a JWK Set.")
        }
        guard try document.asciiString("kty", of: object, in: bytes) == "OKP" else {
            throw PushCryptError(
                .wrongKeyType,
                "The JWK's \"kty\" is not \"OKP\" (RFC 8037). Use an X25519 or Ed25519 key.")
        }
        guard let curve = Curve(rawValue: try document.asciiString("crv", of: object, in: bytes))
        else {
            throw PushCryptError(
                .wrongKeyType,
                """
                The JWK's "crv" is neither "X25519" nor "Ed25519". Use an X25519 or Ed25519 \
                key.
                """)
        }
        if document.member("use", of: object, in: bytes) != nil,
            try document.asciiString("use", of: object, in: bytes) != curve.use
        {
            throw PushCryptError(
                .wrongKeyType,
                """
                The "use" of an \(curve.rawValue) key is not "\(curve.use)". Correct it or \
                remove it.
                """)
        }
        return curve
    }

    /// Throws if the key is on another curve.
    func require(_ needed: Curve) throws(PushCryptError) {
        guard curve == needed else {
            throw PushCryptError(
                .wrongKeyType,
                """
                This is an \(curve.rawValue) key. Use an \(needed.rawValue) key with \
                "use":"\(needed.use)".
                """)
        }
    }
}

extension JSONDocument {
    /// Scans a JWK or a JWK Set.
    package init(scanningKey bytes: Span<UInt8>) throws(PushCryptError) {
        try self.init(scanning: bytes, "key", orThrow: .malformedJWK)
    }

    /// Scans a keyring, which has secrets that can't be written again.
    package init(scanningKeyring bytes: Span<UInt8>) throws(PushCryptError) {
        try self.init(
            scanning: bytes, "keyring", fix: "Restore the file from a backup.",
            orThrow: .malformedJWK)
    }

    /// Returns the range of a string without escapes, such as base64url.
    func text(
        _ name: String, of object: Value, in bytes: Span<UInt8>,
        orThrow code: PushCryptError.Code = .malformedJWK
    ) throws(PushCryptError) -> Range<Int> {
        guard let member = member(name, of: object, in: bytes), member.kind == .string else {
            throw PushCryptError(
                code, "\"\(name)\" is missing or is not a string. Correct the JSON.")
        }
        return member.contents
    }

    /// Returns a string in ASCII that isn't secret.
    package func asciiString(
        _ name: String, of object: Value, in bytes: Span<UInt8>,
        orThrow code: PushCryptError.Code = .malformedJWK
    ) throws(PushCryptError) -> String {
        let text = JSONText.decoded(bytes, try text(name, of: object, in: bytes, orThrow: code))
        // Swift compares strings by Unicode equivalence: "K" equals the Kelvin sign. In ASCII,
        // equal means equal bytes.
        guard text.allSatisfy({ $0 < 0x80 }) else {
            throw PushCryptError(
                code, "\"\(name)\" has characters that are not ASCII. Correct the JSON.")
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns an integer in a range, or throws an error with a code.
    package func integer(
        _ name: String, of object: Value, in bytes: Span<UInt8>,
        from range: ClosedRange<UInt64> = 0...JSONDocument.maximumInteger,
        orThrow code: PushCryptError.Code
    ) throws(PushCryptError) -> UInt64 {
        guard let number = integer(member(name, of: object, in: bytes), in: bytes),
            range.contains(number)
        else {
            throw PushCryptError(
                code,
                """
                "\(name)" is missing or is not an integer from \(range.lowerBound) to \
                \(range.upperBound). Correct the JSON.
                """)
        }
        return number
    }
}
