package import PushCryptCore
internal import PushCryptFoundation

extension Keyring {
    /// Parses a stored keyring: a JWK Set with a `generation`, in which each key has `created`, `state` and, if it is
    /// retired, `retired`.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJWK`, `wrongKeyType`, `keyPairMismatch`, `thumbprintMismatch`,
    ///   `malformedKeyring`, `noPrimaryKey`, `multiplePrimaryKeys`, `unknownKeyState` or `duplicateKey`.
    package init(parsing bytes: Span<UInt8>) throws(PushCryptError) {
        let document = try JSONDocument(scanningKey: bytes)
        var primary: Entry?
        var pending: [Entry] = []
        var retired: [RetiredEntry] = []
        var seen: Set<String> = []
        for (object, jwk) in try JWKSet(bytes, document).elements {
            let entry = try Entry(jwk, object, document, bytes)
            let kid = entry.key.publicKey.kid
            guard seen.insert(kid).inserted else {
                throw PushCryptError(.duplicateKey, "The keyring has the key \(kid) twice. Remove one of them.")
            }
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
                let date = try document.date("retired", of: object, in: bytes, orThrow: .malformedKeyring)
                let known = document.member("known", of: object, in: bytes)
                guard known == nil || document.isTrue(known, in: bytes) else {
                    throw PushCryptError(.malformedKeyring, "\"known\" is not true. Remove it or restore the keyring.")
                }
                retired.append(entry.retired(at: date, isDateKnown: known != nil))
            default:
                throw PushCryptError(
                    .unknownKeyState,
                    "The \"state\" of the key \(kid) is unknown. Use \"primary\", \"pending\" or \"retired\".")
            }
        }
        guard let primary else {
            throw PushCryptError(.noPrimaryKey, "The keyring has no primary key. Restore it from a backup.")
        }
        self.init(
            generation: try document.integer(
                "generation", of: document.root, in: bytes, from: 1...JSONDocument.maximumInteger,
                orThrow: .malformedKeyring),
            primary: primary, pending: pending, retired: retired, elapsedTime: try ElapsedTime(document, bytes),
            owner: document.member("owner", in: bytes) == nil
                ? nil : try document.asciiString("owner", of: document.root, in: bytes))
    }

    /// Returns the keyring as JSON **with its private keys** in guarded memory, for a store.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    package func exportWithPrivateKeys() throws(PushCryptError) -> SecretBytes {
        var json = KeyringText(text: #"{"generation":\#(generation)"#)
        if let elapsedTime {
            let (clock, estimate) = (elapsedTime.clock.secondsSince1970, elapsedTime.estimate.secondsSince1970)
            json.text += ",\"clock\":\(clock),\"believed\":\(estimate)"
        }
        if let owner {
            var quoted: [UInt8] = []
            JSONText.append(owner, to: &quoted)
            json.text += ",\"owner\":\(String(decoding: quoted, as: UTF8.self))"
        }
        json.text += ",\"keys\":["
        try json.append(primary, #""state":"primary""#)
        for entry in pending { try json.append(entry, #""state":"pending""#) }
        for entry in retired {
            let known = entry.isDateKnown ? #","known":true"# : ""
            try json.append(entry.entry, #""retired":\#(entry.retired.secondsSince1970)\#(known),"state":"retired""#)
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
    fileprivate var secrets: [(offset: Int, key: SecretBytes)] = []

    mutating func append(_ entry: Keyring<some PrivateKey>.Entry, _ members: String) throws(PushCryptError) {
        text += secrets.isEmpty ? "\n" : ",\n"
        text += "\(entry.key.publicKey.jwk.dropLast()),\"created\":\(entry.created.secondsSince1970),"
        // The longest lifetime is the default, so a server's keyring never has the member.
        if entry.lifetime < KeyLifetime.range.upperBound { text += "\"lifetime\":\(entry.lifetime)," }
        text += "\(members),\"d\":\""
        secrets.append((text.utf8.count, try entry.key.secretBytes()))
        text += String(repeating: "-", count: SecretBase64.encodedLength) + "\"}"
    }

    func withPrivateKeys() throws(PushCryptError) -> SecretBytes {
        try SecretBytes(count: text.utf8.count) { (bytes) throws(PushCryptError) in
            for (index, byte) in text.utf8.enumerated() { bytes[index] = byte }
            for (offset, key) in secrets {
                SecretBase64.encodeKey(key, into: &bytes, at: offset)
                // libsodium ends its text with a zero byte.
                bytes[offset + SecretBase64.encodedLength] = UInt8(ascii: "\"")
            }
        }
    }
}

extension Keyring.Entry {
    /// Parses a key, without its state.
    fileprivate init(
        _ jwk: JWK, _ object: JSONDocument.Value, _ document: JSONDocument, _ bytes: Span<UInt8>
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
            lifetime = try document.integer(
                "lifetime", of: object, in: bytes, from: KeyLifetime.range, orThrow: .malformedKeyring)
        }
    }
}

extension ElapsedTime {
    /// Parses `clock` and `believed`, which must both be present or both be missing.
    fileprivate init?(_ document: JSONDocument, _ bytes: Span<UInt8>) throws(PushCryptError) {
        guard ["clock", "believed"].contains(where: { document.member($0, in: bytes) != nil }) else { return nil }
        clock = try document.date("clock", of: document.root, in: bytes, orThrow: .malformedKeyring)
        estimate = try document.date("believed", of: document.root, in: bytes, orThrow: .malformedKeyring)
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
