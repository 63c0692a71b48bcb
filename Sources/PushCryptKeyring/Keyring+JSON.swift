package import PushCryptCore
package import PushCryptFoundation

extension Keyring: StoredKeyring {
    /// Parses a stored keyring: a JWK Set with a `generation`, in which each key has `created`,
    /// `state` and, if it is retired, `retired`.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJWK`, `wrongKeyType`, `keyPairMismatch`,
    ///   `thumbprintMismatch`, `malformedKeyring`, `noPrimaryKey`, `multiplePrimaryKeys`,
    ///   `unknownKeyState` or `duplicateKey`.
    package init(parsing bytes: Span<UInt8>) throws(PushCryptError) {
        try self.init(JSONDocument(scanningKeyring: bytes), bytes)
    }

    /// Parses a scanned keyring.
    ///
    /// - Parameters:
    ///   - document: The scanned JSON.
    ///   - bytes: The JSON.
    ///   - additions: The members that the caller reads and writes.
    /// - Throws: ``PushCryptError`` as ``init(parsing:)`` does.
    package init(
        _ document: JSONDocument, _ bytes: Span<UInt8>, additions: KeyringAdditions = .none
    ) throws(PushCryptError) {
        let keys = try StoredKeys(document, bytes)
        guard let primary = keys.primary else {
            throw PushCryptError(
                .noPrimaryKey, "The keyring has no primary key. Restore it from a backup.")
        }
        self.init(
            generation: try document.integer(
                "generation", of: document.root, in: bytes, from: 1...JSONDocument.maximumInteger,
                orThrow: .malformedKeyring),
            primary: primary, pending: keys.pending, retired: keys.retired)
        unknownMembers = KeyringMembers.unknown(in: document, bytes, besides: additions)
    }

    /// The keys of a stored keyring, by their state.
    private struct StoredKeys {
        private(set) var primary: Entry?
        private(set) var pending: [Entry] = []
        private(set) var retired: [RetiredEntry] = []

        init(_ document: JSONDocument, _ bytes: Span<UInt8>) throws(PushCryptError) {
            var seen: Set<String> = []
            for element in try JWKSet(bytes, document).elements {
                let entry = try Entry(element.jwk, of: element.object, document, in: bytes)
                let kid = entry.key.publicKey.kid
                guard seen.insert(kid).inserted else {
                    throw PushCryptError(
                        .duplicateKey, "The keyring has the key \(kid) twice. Remove one of them.")
                }
                try add(entry, element.object, of: document, in: bytes)
            }
        }

        /// Adds a key by its `state`.
        private mutating func add(
            _ entry: Entry, _ object: JSONDocument.Value, of document: JSONDocument,
            in bytes: Span<UInt8>
        ) throws(PushCryptError) {
            switch try document.asciiString("state", of: object, in: bytes) {
            case "primary":
                guard primary == nil else {
                    throw PushCryptError(
                        .multiplePrimaryKeys,
                        "The keyring has more than one primary key. Restore it from a backup.")
                }
                primary = entry
            case "pending":
                pending.append(entry)
            case "retired":
                retired.append(try Self.retired(entry, object, of: document, in: bytes))
            default:
                throw PushCryptError(
                    .unknownKeyState,
                    "The \"state\" of the key \(entry.key.publicKey.kid) is unknown. Use "
                        + "\"primary\", \"pending\" or "
                        + "\"retired\".")
            }
        }

        /// Returns a retired key with its date, which is a server's if `known` is true.
        private static func retired(
            _ entry: Entry, _ object: JSONDocument.Value, of document: JSONDocument,
            in bytes: Span<UInt8>
        ) throws(PushCryptError) -> RetiredEntry {
            let date = try document.date(
                "retired", of: object, in: bytes, orThrow: .malformedKeyring)
            let known = document.member("known", of: object, in: bytes)
            guard known == nil || document.isTrue(known, in: bytes) else {
                throw PushCryptError(
                    .malformedKeyring, "\"known\" is not true. Remove it or restore the keyring.")
            }
            var retired = entry.retired(at: date, isDateKnown: known != nil)
            if document.member("unneeded", of: object, in: bytes) != nil {
                retired.unneeded = try document.date(
                    "unneeded", of: object, in: bytes, orThrow: .malformedKeyring)
            }
            return retired
        }
    }

    /// Throws `newerFormat` if a newer version has written members that this one would lose.
    package func checkFormat() throws(PushCryptError) { try KeyringMembers.check(unknownMembers) }

    /// Returns the keyring as JSON **with its private keys** in guarded memory, for a store.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`, or `newerFormat` if a newer version
    ///   has written members that would be lost.
    package func exportWithPrivateKeys() throws(PushCryptError) -> SecretBytes {
        try exportWithPrivateKeys(adding: .none)
    }

    /// Returns the keyring as JSON, with members that the caller reads.
    package func exportWithPrivateKeys(adding additions: KeyringAdditions) throws(PushCryptError)
        -> SecretBytes
    {
        try checkFormat()
        var json = KeyringText(text: #"{"generation":\#(generation)"#)
        json.text +=
            additions.members.map { #","\#($0.name)":\#($0.json)"# }.joined() + ",\"keys\":["
        let notes = additions.notes
        try json.append(primary, note: notes[primary.id], #""state":"primary""#)
        for entry in pending {
            try json.append(entry, note: notes[entry.id], #""state":"pending""#)
        }
        for entry in retired {
            let known = entry.isDateKnown ? #","known":true"# : ""
            let unneeded = entry.unneeded.map { #","unneeded":\#($0.secondsSince1970)"# } ?? ""
            let date = entry.retired.secondsSince1970
            let members = #""retired":\#(date)\#(known)\#(unneeded),"state":"retired""#
            try json.append(entry.entry, note: notes[entry.id], members)
        }
        json.text += "\n]}\n"
        return try json.withPrivateKeys()
    }
}

/// The JSON of a keyring with room for its private keys, which are encoded in guarded memory only.
private struct KeyringText {
    var text: String

    /// A private key, and the offset of its room in the JSON.
    private struct Secret {
        let offset: Int
        let key: SecretBytes
    }

    private var secrets: [Secret] = []

    init(text: String) {
        self.text = text
    }

    mutating func append(
        _ entry: Keyring<some PrivateKey>.Entry, note: KeyringAdditions.Member?, _ members: String
    ) throws(PushCryptError) {
        text += secrets.isEmpty ? "\n" : ",\n"
        text +=
            "\(entry.key.publicKey.jwk.dropLast()),\"created\":\(entry.created.secondsSince1970),"
        // The longest lifetime is the default, so a server's keyring never has the member.
        if entry.lifetimeSeconds < KeyLifetime.range.upperBound {
            text += "\"lifetime\":\(entry.lifetimeSeconds),"
        }
        if let note { text += #""\#(note.name)":\#(note.json),"# }
        text += "\(members),\"d\":\""
        secrets.append(Secret(offset: text.utf8.count, key: try entry.key.secretBytes()))
        text += String(repeating: "-", count: SecretBase64.encodedLength) + "\"}"
    }

    func withPrivateKeys() throws(PushCryptError) -> SecretBytes {
        try SecretBytes(count: text.utf8.count) { (bytes) throws(PushCryptError) in
            for (index, byte) in text.utf8.enumerated() { bytes[index] = byte }
            for secret in secrets {
                SecretBase64.encodeKey(secret.key, into: &bytes, at: secret.offset)
                // libsodium writes a zero byte after the characters.
                bytes[secret.offset + SecretBase64.encodedLength] = UInt8(ascii: "\"")
            }
        }
    }
}

extension Keyring.Entry {
    /// Parses a key, without its state.
    fileprivate init(
        _ jwk: JWK, of object: JSONDocument.Value, _ document: JSONDocument, in bytes: Span<UInt8>
    ) throws(PushCryptError) {
        let key = try Key(jwk)
        let kid = key.publicKey.kid
        guard try document.asciiString("kid", of: object, in: bytes) == kid else {
            throw PushCryptError(
                .thumbprintMismatch,
                """
                A "kid" in the keyring is not the thumbprint \(kid) of its key. Restore it from \
                a backup.
                """)
        }
        let hasLifetime = document.member("lifetime", of: object, in: bytes) != nil
        self.init(
            key: key,
            created: try document.date(
                "created", of: object, in: bytes, orThrow: .malformedKeyring),
            lifetimeSeconds: hasLifetime
                ? try document.integer(
                    "lifetime", of: object, in: bytes, from: KeyLifetime.range,
                    orThrow: .malformedKeyring)
                : KeyLifetime.range.upperBound)
    }
}

extension JSONDocument {
    /// Returns a date in whole seconds since 1970, or throws an error with a code.
    package func date(
        _ name: String, of object: Value, in bytes: Span<UInt8>, orThrow code: PushCryptError.Code
    ) throws(PushCryptError) -> Date {
        Date(
            timeIntervalSince1970: TimeInterval(
                try integer(name, of: object, in: bytes, orThrow: code)))
    }
}
