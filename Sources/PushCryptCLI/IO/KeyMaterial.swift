internal import PushCryptSender

/// Keys in the input of commands for payloads.
enum KeyMaterial {
    /// Returns a Boolean value that indicates whether an input is a key or a keyring, or has a
    /// private key in it.
    static func isKeys(_ input: Span<UInt8>) -> Bool {
        guard let document = try? JSONDocument(scanning: input) else {
            return hasPrivateKey(text: input)
        }
        func has(_ name: String, _ object: JSONDocument.Value) -> Bool {
            document.member(name, of: object, in: input) != nil
        }
        return document.member("keys", in: input)?.kind == .array || has("kty", document.root)
            || (ProtectedKeyring.isProtected(input) && !has("aps", document.root))
            || document.values.contains { value in
                value.kind == .object && marks.contains { has($0, value) }
                    && secrets.contains { has($0, value) }
            }
    }

    /// Returns a Boolean value that indicates whether an input is a JWK or a JWK Set with a private
    /// key.
    static func isKeysWithPrivateHalf(_ input: Span<UInt8>) -> Bool {
        guard let document = try? JSONDocument(scanning: input) else { return false }
        return document.values.contains { value in
            value.kind == .object && document.member("crv", of: value, in: input) != nil
                && document.member("d", of: value, in: input) != nil
        }
    }

    /// Returns a Boolean value that indicates whether a document is a private JWK or a keyring with
    /// a passphrase.
    static func isPrivateKey(_ document: JSONDocument, _ input: Span<UInt8>) -> Bool {
        func hasOne(of names: [String]) -> Bool {
            names.contains { document.member($0, in: input)?.kind == .string }
        }
        return hasOne(of: marks) && hasOne(of: secrets)
            || ProtectedKeyring.isProtected(input) && document.member("aps", in: input) == nil
    }

    /// Replaces the private members of JWKs at any depth, and strings with a JWK in them.
    static func redacted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): return .string(redacted(text))
        case .array(let elements): return .array(elements.map(redacted))
        case .object(var members):
            let isKey = marks.contains { members[$0] != nil }
            for name in secrets where isKey && members[name] != nil { members[name] = "(private)" }
            return .object(members.mapValues(redacted))
        default: return value
        }
    }

    /// Returns `(private)` for a string with a private key in PEM or in a JWK, even nested;
    /// otherwise the string.
    static func redacted(_ text: String) -> String {
        hasPrivateKeyWithoutEscapes(text.utf8) || hasPrivateKey(value: Array(text.utf8)[...])
            ? "(private)" : text
    }

    /// Returns a Boolean value that indicates whether a value in JSON has a private key in it, even
    /// with escapes or in a string.
    static func hasPrivateKey(value: ArraySlice<UInt8>) -> Bool {
        let value = value.drop { $0 <= UInt8(ascii: " ") }
        guard let first = value.first, "{[\"".utf8.contains(first) else { return false }
        let wrapped = Array("{\"value\":".utf8) + value + [UInt8(ascii: "}")]
        // The deepest values can't be wrapped.
        guard let object = try? JSONValue(parsing: wrapped) else {
            return hasPrivateKeyWithoutEscapes(value)
        }
        return redacted(object) != object
    }

    /// Returns a Boolean value that indicates whether text has a private key in it, apart from
    /// backslashes.
    private static func hasPrivateKeyWithoutEscapes(_ text: some Sequence<UInt8>) -> Bool {
        let bytes = text.filter { $0 != UInt8(ascii: "\\") }
        return hasPrivateKey(text: bytes.span)
    }

    /// The members that identify a JWK: each JWK on a curve has at least one.
    private static let marks = ["kty", "crv"]
    /// The private members of RFC 7518 §6.
    private static let secrets = ["d", "k", "p", "q", "dp", "dq", "qi", "oth"]

    private static func hasPrivateKey(text: Span<UInt8>) -> Bool {
        contains("PRIVATE KEY-----", text)
            || (contains("\"d\"", text) && marks.contains { contains("\"\($0)\"", text) })
    }

    /// Returns a Boolean value that indicates whether bytes, which may be secret, contain a word.
    static func contains(_ word: String, _ text: Span<UInt8>) -> Bool {
        let word = Array(word.utf8)
        guard text.count >= word.count else { return false }
        return (0...(text.count - word.count)).contains { start in
            word.indices.allSatisfy { text[start + $0] == word[$0] }
        }
    }
}
