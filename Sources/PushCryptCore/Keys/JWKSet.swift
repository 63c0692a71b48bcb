/// A JWK Set (RFC 7517 §5): an object whose `keys` are JWKs.
package struct JWKSet: Sendable {
    /// One key of a set.
    package struct Element: Sendable {
        /// The JWK in the set's document.
        package let object: JSONDocument.Value
        /// The key.
        package let jwk: JWK
    }

    /// The scanned set.
    let document: JSONDocument

    /// The keys, in the order of the set.
    ///
    /// Never empty.
    package let elements: [Element]

    /// Whether some bytes are meant as a set: a JSON object that has `keys`.
    static func isSet(_ bytes: Span<UInt8>, _ document: JSONDocument) -> Bool {
        document.member("keys", in: bytes) != nil
    }

    /// Reads the one set that some bytes are.
    package init(parsing bytes: Span<UInt8>) throws(PushCryptError) {
        try self.init(bytes, JWK.scan(bytes))
    }

    /// Reads a set.
    ///
    /// Every key in it must be one that this package can use.
    package init(_ bytes: Span<UInt8>, _ document: JSONDocument) throws(PushCryptError) {
        guard let keys = document.member("keys", in: bytes), keys.kind == .array else {
            throw PushCryptError(
                .malformedJWK,
                "A keyring or JWK Set has an array \"keys\" (RFC 7517 §5); this has none. Is it a single key?")
        }
        var elements: [Element] = []
        for object in document.children(of: keys) {
            guard object.kind == .object else {
                throw PushCryptError(.malformedJWK, "An element of \"keys\" is not a JWK.")
            }
            elements.append(Element(object: object, jwk: try JWK(bytes, document, object)))
        }
        guard !elements.isEmpty else {
            throw PushCryptError(.malformedJWK, "The JWK Set has no keys.")
        }
        self.document = document
        self.elements = elements
    }

    /// The key that stands for the whole set: the one whose `state` is `primary`, or the only one there is.
    func primary(_ bytes: Span<UInt8>) throws(PushCryptError) -> JWK {
        var primary: JWK?
        for element in elements {
            guard document.member("state", of: element.object, in: bytes) != nil,
                try document.asciiString("state", of: element.object, in: bytes) == "primary"
            else { continue }
            guard primary == nil else {
                throw PushCryptError(.multiplePrimaryKeys, "Two keys of this set have the state \"primary\".")
            }
            primary = element.jwk
        }
        if let primary { return primary }
        guard elements.count == 1 else {
            throw PushCryptError(
                .malformedJWK,
                "The JWK Set has \(elements.count) keys and none is marked \"state\":\"primary\". Give one key.")
        }
        return elements[0].jwk
    }
}
