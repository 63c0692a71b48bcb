public import PushCryptCore

extension SignerList {
    /// Verifies a list with one of the roots.
    ///
    /// The initializer checks neither the audience nor the expiration.
    ///
    /// - Parameters:
    ///   - text: The list in the compact serialization; white space around it is ignored.
    ///   - roots: The public keys of the roots.
    /// - Throws: ``PushCryptError`` with `malformedSignerList`, `unknownRoot`, `invalidSignature` or
    ///   `sodiumUnavailable`.
    public init(verifying text: some UTF8Text, roots: [VerificationKey]) throws(PushCryptError) {
        let bytes = text.utf8Bytes
        let trimmed = JSONText.trimmed(bytes.span)
        try self.init(verifyingExactly: Array(bytes[trimmed]), roots: roots)
    }

    /// Verifies a list without white space around it.
    package init(verifyingExactly bytes: [UInt8], roots: [VerificationKey]) throws(PushCryptError) {
        guard bytes.count <= Self.maximumLength else { throw Self.malformed("it is too long") }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw Self.malformed("it doesn't have three parts") }
        var decoded: [[UInt8]] = []
        for part in parts {
            decoded.append(try Self.decode(Array(part)))
        }
        let (header, content, signature) = (decoded[0], decoded[1], decoded[2])
        let kid = try Self.kid(inHeader: header.span)
        guard let root = roots.first(where: { $0.kid == kid }) else {
            throw PushCryptError(
                .unknownRoot,
                """
                The list of accepted keys is signed by a root that isn't pinned. Announce it with a root of this app.
                """)
        }
        let signed = Array(bytes[..<parts[2].startIndex].dropLast())
        try Ed25519.verify(signature.span, of: signed.span, with: root.bytes)
        self.init(
            text: String(decoding: bytes, as: UTF8.self), rootKid: kid,
            content: try SignerListContent(parsing: content.span))
    }

    private static func decode(_ part: [UInt8]) throws(PushCryptError) -> [UInt8] {
        guard let bytes = try? Base64URL.decode(part.span) else {
            throw malformed("a part isn't base64url without padding")
        }
        return bytes
    }

    /// Returns the thumbprint of the root in a header, which has exactly three members.
    private static func kid(inHeader bytes: Span<UInt8>) throws(PushCryptError) -> String {
        let document = try JSONDocument(
            scanning: bytes, "header of the list", fix: "Announce it again.", orThrow: .malformedSignerList)
        let values = ["alg", "kid", "typ"].map {
            document.string(document.member($0, in: bytes), in: bytes).map { Array($0.utf8) }
        }
        guard document.children(of: document.root).count == 3, let kid = values[1],
            values[0] == Array("Ed25519".utf8), values[2] == Array(type.utf8),
            (try? Base64URL.decode(kid.span))?.count == 32
        else { throw malformed("its header isn't \"alg\" Ed25519, \"kid\" and \"typ\" \(type)") }
        return String(decoding: kid, as: UTF8.self)
    }
}
