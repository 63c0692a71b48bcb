package import PushCryptCore
internal import PushCryptFoundation

extension Keyring {
    /// Parses a stored keyring: a JWK Set with a `generation`, in which each key has `created`, `state` and, if it is
    /// retired, `retired`.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJWK`, `wrongKeyType`, `keyPairMismatch`, `thumbprintMismatch`,
    ///   `malformedKeyring`, `noPrimaryKey`, `multiplePrimaryKeys`, `unknownKeyState` or `duplicateKey`.
    package init(parsing bytes: Span<UInt8>) throws(PushCryptError) {
        let document = try JSONDocument(scanningKeyring: bytes)
        let keys = try StoredKeys(document, bytes)
        guard let primary = keys.primary else {
            throw PushCryptError(.noPrimaryKey, "The keyring has no primary key. Restore it from a backup.")
        }
        let hasOwner = document.member("owner", in: bytes) != nil
        let signers: AcceptedSigners?
        do throws(PushCryptError) {
            signers = try AcceptedSigners(of: document.root, document, in: bytes)
        } catch {
            throw PushCryptError(.malformedKeyring, "\"signers\" isn't valid. Restore the keyring from a backup.")
        }
        self.init(
            generation: try document.integer(
                "generation", of: document.root, in: bytes, from: 1...JSONDocument.maximumInteger,
                orThrow: .malformedKeyring),
            primary: primary, pending: keys.pending, retired: keys.retired,
            elapsedTime: try ElapsedTime(document, bytes, marks: keys.marks),
            owner: hasOwner ? try document.asciiString("owner", of: document.root, in: bytes) : nil,
            signerLists: try Self.signerLists(document, bytes), signers: signers)
    }

    /// Parses the member `lists`, an array of strings.
    private static func signerLists(
        _ document: JSONDocument, _ bytes: Span<UInt8>
    ) throws(PushCryptError) -> [String] {
        guard let member = document.member("lists", in: bytes) else { return [] }
        let texts = document.children(of: member).compactMap { document.string($0, in: bytes) }
        guard member.kind == .array, texts.count == document.children(of: member).count else {
            throw PushCryptError(
                .malformedKeyring, "\"lists\" isn't an array of strings. Restore the keyring from a backup.")
        }
        return texts
    }

    /// The keys of a stored keyring, by their state.
    private struct StoredKeys {
        private(set) var primary: Entry?
        private(set) var pending: [Entry] = []
        private(set) var retired: [RetiredEntry] = []
        private(set) var marks: [KeyID: Date] = [:]

        init(_ document: JSONDocument, _ bytes: Span<UInt8>) throws(PushCryptError) {
            var seen: Set<String> = []
            for element in try JWKSet(bytes, document).elements {
                let entry = try Entry(element.jwk, of: element.object, document, in: bytes)
                let kid = entry.key.publicKey.kid
                guard seen.insert(kid).inserted else {
                    throw PushCryptError(.duplicateKey, "The keyring has the key \(kid) twice. Remove one of them.")
                }
                if document.member("counted", of: element.object, in: bytes) != nil {
                    marks[entry.id] = try document.date(
                        "counted", of: element.object, in: bytes, orThrow: .malformedKeyring)
                }
                try add(entry, element.object, of: document, in: bytes)
            }
        }

        /// Adds a key by its `state`.
        private mutating func add(
            _ entry: Entry, _ object: JSONDocument.Value, of document: JSONDocument, in bytes: Span<UInt8>
        ) throws(PushCryptError) {
            switch try document.asciiString("state", of: object, in: bytes) {
            case "primary":
                guard primary == nil else {
                    throw PushCryptError(
                        .multiplePrimaryKeys, "The keyring has more than one primary key. Restore it from a backup.")
                }
                primary = entry
            case "pending":
                pending.append(entry)
            case "retired":
                retired.append(try Self.retired(entry, object, of: document, in: bytes))
            default:
                throw PushCryptError(
                    .unknownKeyState,
                    "The \"state\" of the key \(entry.key.publicKey.kid) is unknown. Use \"primary\", \"pending\" or "
                        + "\"retired\".")
            }
        }

        /// Returns a retired key with its date, which is a server's if `known` is true.
        private static func retired(
            _ entry: Entry, _ object: JSONDocument.Value, of document: JSONDocument, in bytes: Span<UInt8>
        ) throws(PushCryptError) -> RetiredEntry {
            let date = try document.date("retired", of: object, in: bytes, orThrow: .malformedKeyring)
            let known = document.member("known", of: object, in: bytes)
            guard known == nil || document.isTrue(known, in: bytes) else {
                throw PushCryptError(.malformedKeyring, "\"known\" is not true. Remove it or restore the keyring.")
            }
            var retired = entry.retired(at: date, isDateKnown: known != nil)
            if document.member("unneeded", of: object, in: bytes) != nil {
                retired.unneeded = try document.date("unneeded", of: object, in: bytes, orThrow: .malformedKeyring)
            }
            return retired
        }
    }

    /// Returns the keyring as JSON **with its private keys** in guarded memory, for a store.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    package func exportWithPrivateKeys() throws(PushCryptError) -> SecretBytes {
        var json = KeyringText(text: #"{"generation":\#(generation)"#)
        if let elapsedTime {
            let clock = elapsedTime.clock.secondsSince1970
            let estimate = elapsedTime.estimate.secondsSince1970
            json.text += ",\"clock\":\(clock),\"estimated\":\(estimate)"
            let count = elapsedTime.count.secondsSince1970
            if count != estimate { json.text += ",\"counted\":\(count)" }
        }
        if let owner {
            var quoted: [UInt8] = []
            JSONText.append(owner, to: &quoted)
            json.text += ",\"owner\":\(String(decoding: quoted, as: UTF8.self))"
        }
        if !signerLists.isEmpty {
            // A damaged file can have lists that need escapes.
            var lists: [UInt8] = []
            for list in signerLists {
                lists.append(UInt8(ascii: lists.isEmpty ? "[" : ","))
                JSONText.append(list, to: &lists)
            }
            json.text += ",\"lists\":\(String(decoding: lists, as: UTF8.self))]"
        }
        if let signers { json.text += ",\"signers\":\(signers.json)" }
        json.text += ",\"keys\":["
        let marks = elapsedTime?.marks ?? [:]
        try json.append(primary, counted: marks[primary.id], #""state":"primary""#)
        for entry in pending { try json.append(entry, counted: marks[entry.id], #""state":"pending""#) }
        for entry in retired {
            let known = entry.isDateKnown ? #","known":true"# : ""
            let unneeded = entry.unneeded.map { #","unneeded":\#($0.secondsSince1970)"# } ?? ""
            let members = #""retired":\#(entry.retired.secondsSince1970)\#(known)\#(unneeded),"state":"retired""#
            try json.append(entry.entry, counted: marks[entry.id], members)
        }
        json.text += "\n]}\n"
        return try json.withPrivateKeys()
    }

    /// Returns the keyring as JSON, and the keyring that this JSON parses to, so that only valid JSON is stored.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`, or the error of parsing.
    package func exportToStore() throws(PushCryptError) -> (stored: Self, contents: SecretBytes) {
        let contents = try exportWithPrivateKeys()
        let stored = try contents.withSpan { (bytes) throws(PushCryptError) in try Self(parsing: bytes) }
        return (stored, contents)
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
        _ entry: Keyring<some PrivateKey>.Entry, counted mark: Date?, _ members: String
    ) throws(PushCryptError) {
        text += secrets.isEmpty ? "\n" : ",\n"
        text += "\(entry.key.publicKey.jwk.dropLast()),\"created\":\(entry.created.secondsSince1970),"
        // The longest lifetime is the default, so a server's keyring never has the member.
        if entry.lifetimeSeconds < KeyLifetime.range.upperBound { text += "\"lifetime\":\(entry.lifetimeSeconds)," }
        if let mark { text += "\"counted\":\(mark.secondsSince1970)," }
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
        key = try Key(jwk)
        let kid = key.publicKey.kid
        guard try document.asciiString("kid", of: object, in: bytes) == kid else {
            throw PushCryptError(
                .thumbprintMismatch,
                "A \"kid\" in the keyring is not the thumbprint \(kid) of its key. Restore it from a backup.")
        }
        created = try document.date("created", of: object, in: bytes, orThrow: .malformedKeyring)
        if document.member("lifetime", of: object, in: bytes) != nil {
            lifetimeSeconds = try document.integer(
                "lifetime", of: object, in: bytes, from: KeyLifetime.range, orThrow: .malformedKeyring)
        }
    }
}

extension ElapsedTime {
    /// Parses `clock` and `estimated`, which must both be present or both be missing, and `counted`, which is the
    /// estimate by default.
    fileprivate init?(
        _ document: JSONDocument, _ bytes: Span<UInt8>, marks: [KeyID: Date]
    ) throws(PushCryptError) {
        guard ["clock", "estimated"].contains(where: { document.member($0, in: bytes) != nil }) else { return nil }
        clock = try document.date("clock", of: document.root, in: bytes, orThrow: .malformedKeyring)
        estimate = try document.date("estimated", of: document.root, in: bytes, orThrow: .malformedKeyring)
        count = estimate
        if document.member("counted", in: bytes) != nil {
            count = try document.date("counted", of: document.root, in: bytes, orThrow: .malformedKeyring)
        }
        self.marks = marks
    }
}

extension JSONDocument {
    /// Returns a date in whole seconds since 1970, or throws an error with a code.
    func date(
        _ name: String, of object: Value, in bytes: Span<UInt8>, orThrow code: PushCryptError.Code
    ) throws(PushCryptError) -> Date {
        Date(timeIntervalSince1970: TimeInterval(try integer(name, of: object, in: bytes, orThrow: code)))
    }
}
