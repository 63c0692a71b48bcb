extension PublicKey {
    /// Reads a public key in any form in which keys are handed around.
    ///
    /// Accepted are a JWK (RFC 8037), a JWK Set (its only key, or the one with `"state":"primary"`), and the raw key as
    /// 43 characters of base64url without padding. Line breaks and spaces around it are ignored. Of a private key or a
    /// keyring the public half is taken.
    ///
    /// - Parameter text: the key in UTF-8.
    /// - Throws: ``PushCryptError`` with `malformedJWK`, `wrongKeyType`, `invalidKey` or `multiplePrimaryKeys`.
    public init(parsing text: some UTF8Text) throws(PushCryptError) {
        let bytes = text.utf8Bytes
        try self.init(parsing: bytes.span)
    }

    /// Reads a public key in any form from bytes, which may be guarded memory.
    package init(parsing bytes: Span<UInt8>) throws(PushCryptError) {
        let text = bytes.extracting(JSONText.trimmed(bytes))
        guard text.count > 0, text[0] == UInt8(ascii: "{") else {
            guard text.count == SecretBase64.encodedLength, let raw = try? Base64URL.decode(text) else {
                throw PushCryptError(
                    .malformedJWK, "This is no key: neither a JWK, nor a JWK Set, nor 43 characters of base64url.")
            }
            try self.init(rawRepresentation: raw)
            return
        }
        let document = try JWK.scan(text)
        let jwk =
            JWKSet.isSet(text, document)
            ? try JWKSet(text, document).primary(text) : try JWK(text, document, document.root)
        try jwk.require(Self.curve)
        try self.init(rawRepresentation: jwk.publicKey.array)
    }
}
