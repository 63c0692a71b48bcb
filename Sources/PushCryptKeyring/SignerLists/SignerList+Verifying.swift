public import PushCryptCore

extension SignerList {
    /// Verifies a list with one of the roots.
    ///
    /// The initializer checks neither the audience nor the expiration.
    ///
    /// - Parameters:
    ///   - text: The list in the compact serialization; white space around it is ignored.
    ///   - roots: The public keys of the roots.
    /// - Throws: ``PushCryptError`` with `malformedSignerList`, `unknownRoot`, `invalidSignature`
    ///   or `sodiumUnavailable`.
    public init(verifying text: some UTF8Text, roots: [VerificationKey]) throws(PushCryptError) {
        let bytes = text.bytesForPushCrypt
        let trimmed = JSONText.trimmed(bytes.span)
        try self.init(verifyingExactly: Array(bytes[trimmed]), roots: roots)
    }

    /// Reads a list without verifying it, for a server that hands it out and doesn't have the
    /// root's public key.
    ///
    /// The devices verify the list. Never accept its keys without ``init(verifying:roots:)``.
    ///
    /// ```swift
    /// func canHandOut(_ line: String, for keyring: SigningKeyring) throws -> Bool {
    ///     let list = try SignerList(unverified: line)
    ///     return list.keys.contains(keyring.primary.key.publicKey)
    /// }
    /// ```
    ///
    /// - Parameter text: The list in the compact serialization; white space around it is ignored.
    /// - Throws: ``PushCryptError`` with `malformedSignerList`.
    public init(unverified text: some UTF8Text) throws(PushCryptError) {
        let bytes = text.bytesForPushCrypt
        let trimmed = JSONText.trimmed(bytes.span)
        let parts = try Parts(Array(bytes[trimmed]))
        guard parts.signature.count == Ed25519.signatureLength else {
            throw Self.malformed("its signature doesn't have 64 bytes")
        }
        try self.init(parts)
    }

    /// Verifies a list without white space around it.
    init(verifyingExactly bytes: [UInt8], roots: [VerificationKey]) throws(PushCryptError) {
        let parts = try Parts(bytes)
        guard let root = roots.first(where: { $0.kid == parts.rootKid }) else {
            throw PushCryptError(
                .unknownRoot,
                """
                The list of accepted keys is signed by a root that isn't pinned. Announce it with \
                a root of this app.
                """)
        }
        do throws(PushCryptError) {
            try Ed25519.verify(parts.signature.span, of: parts.signed.span, with: root.bytes)
        } catch {
            guard error.code == .invalidSignature else { throw error }
            throw PushCryptError(
                .invalidSignature,
                """
                The list of accepted keys was changed: its signature isn't valid. Announce it \
                again.
                """)
        }
        try self.init(parts)
    }

    /// Parses the content, which is the last check of a list.
    private init(_ parts: Parts) throws(PushCryptError) {
        self.init(
            text: parts.text, rootKid: parts.rootKid,
            content: try SignerListContent(parsing: parts.content.span))
    }

    /// The decoded parts of a list with a valid header.
    private struct Parts {
        let text: String
        let rootKid: String
        let content: [UInt8]
        /// The text that the root signs.
        let signed: [UInt8]
        let signature: [UInt8]

        init(_ bytes: [UInt8]) throws(PushCryptError) {
            guard bytes.count <= SignerList.maximumLength else {
                throw SignerList.malformed("it is too long")
            }
            let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard parts.count == 3 else {
                throw SignerList.malformed("it doesn't have three parts")
            }
            let header = try SignerList.decode(Array(parts[0]))
            content = try SignerList.decode(Array(parts[1]))
            signature = try SignerList.decode(Array(parts[2]))
            rootKid = try SignerList.kid(inHeader: header.span)
            signed = Array(bytes[..<parts[2].startIndex].dropLast())
            text = String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Returns the root that the header of a damaged list names; `nil` if the header is damaged,
    /// too.
    static func claimedRoot(of text: String) -> String? {
        let header = Array(text.utf8.prefix { $0 != UInt8(ascii: ".") })
        return (try? decode(header)).flatMap { try? kid(inHeader: $0.span) }
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
            scanning: bytes, "header of the list", fix: "Announce it again.",
            orThrow: .malformedSignerList)
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
