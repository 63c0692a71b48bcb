/// A JWK Set (RFC 7517 §5): an object whose `keys` are JWKs.
package struct JWKSet: Sendable {
    /// The scanned set.
    let document: JSONDocument

    /// A key, and its JWK in the document.
    package struct Element: Sendable {
        /// The object of the JWK, which can have more members than a key.
        package let object: JSONDocument.Value
        /// The key.
        package let jwk: JWK
    }

    /// The keys in the order of the set, at least one.
    package let elements: [Element]

    /// Parses a set.
    package init(parsing bytes: Span<UInt8>) throws(PushCryptError) {
        try self.init(bytes, JSONDocument(scanningKey: bytes))
    }

    /// Parses a scanned set, all of whose keys must be X25519 or Ed25519.
    package init(_ bytes: Span<UInt8>, _ document: JSONDocument) throws(PushCryptError) {
        guard let keys = document.member("keys", in: bytes), keys.kind == .array else {
            throw PushCryptError(
                .malformedJWK,
                "The array \"keys\" is missing (RFC 7517 §5). Use a keyring or a JWK Set.")
        }
        var elements: [Element] = []
        for object in document.children(of: keys) {
            guard object.kind == .object else {
                throw PushCryptError(
                    .malformedJWK, "An element of \"keys\" is not a JWK. Correct the JWK Set.")
            }
            elements.append(Element(object: object, jwk: try JWK(bytes, document, of: object)))
        }
        guard !elements.isEmpty else {
            throw PushCryptError(.malformedJWK, "The JWK Set has no keys. Add a key.")
        }
        self.document = document
        self.elements = elements
    }

    /// Returns the key with the `state` `primary`, or the only key.
    func primary(_ bytes: Span<UInt8>) throws(PushCryptError) -> JWK {
        var primary: JWK?
        for element in elements {
            guard document.member("state", of: element.object, in: bytes) != nil,
                try document.asciiString("state", of: element.object, in: bytes) == "primary"
            else { continue }
            guard primary == nil else {
                throw PushCryptError(
                    .multiplePrimaryKeys, "The set has more than one primary key. Give one key.")
            }
            primary = element.jwk
        }
        if let primary { return primary }
        guard elements.count == 1 else {
            throw PushCryptError(
                .malformedJWK,
                """
                The JWK Set has \(elements.count) keys, and no key has "state":"primary". Give \
                one key.
                """)
        }
        return elements[0].jwk
    }
}
