package import PushCryptCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Keyring {
    /// Parses a stored keyring: a JWK Set with a `generation`, in which each key has `created`, `state` and, if it is
    /// retired, `retired`.
    ///
    /// Invalid keyrings are rejected, never repaired.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJWK`, `wrongKeyType`, `keyPairMismatch`, `thumbprintMismatch`,
    ///   `malformedKeyring`, `noPrimaryKey`, `multiplePrimaryKeys`, `unknownKeyState` or `duplicateKey`.
    package init(parsing bytes: Span<UInt8>) throws(PushCryptError) {
        let document = try JSONDocument(scanningKey: bytes)
        let set = try JWKSet(bytes, document)
        var parser = KeyringParser<Key>()
        for element in set.elements {
            try parser.add(element.jwk, element.object, document, bytes)
        }
        guard let primary = parser.primary else {
            throw PushCryptError(.noPrimaryKey, "The keyring has no primary key. Restore it from a backup.")
        }
        let generation = try document.integer(
            "generation", of: document.root, in: bytes, from: 1...JSONDocument.maximumInteger,
            orThrow: .malformedKeyring)
        self.init(
            generation: generation, primary: primary, pending: parser.pending, retired: parser.retired,
            elapsedTime: try KeyringParser<Key>.elapsedTime(bytes, document),
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
        try json.append(primary.key, primary.created, primary.lifetime, #""state":"primary""#)
        for entry in pending {
            json.text += ","
            try json.append(entry.key, entry.created, entry.lifetime, #""state":"pending""#)
        }
        for entry in retired {
            let date = "\"retired\":\(entry.retired.secondsSince1970)" + (entry.isDateKnown ? ",\"known\":true" : "")
            json.text += ","
            try json.append(entry.key, entry.created, entry.lifetime, "\(date),\"state\":\"retired\"")
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

    mutating func append(
        _ key: some PrivateKey, _ created: Date, _ lifetime: UInt64, _ members: String
    ) throws(PushCryptError) {
        text += "\n\(key.publicKey.jwk.dropLast()),\"created\":\(created.secondsSince1970),"
        // The longest lifetime is the default, so a server's keyring never has the member.
        if lifetime < KeyLifetime.range.upperBound { text += "\"lifetime\":\(lifetime)," }
        text += "\(members),\"d\":\""
        secrets.append((text.utf8.count, try key.secretBytes()))
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

/// The parsed keys of a keyring.
private struct KeyringParser<Key: PrivateKey> {
    var primary: Keyring<Key>.Entry?
    var pending: [Keyring<Key>.Entry] = []
    var retired: [Keyring<Key>.RetiredEntry] = []
    private var seen: Set<String> = []

    mutating func add(
        _ jwk: JWK, _ object: JSONDocument.Value, _ document: JSONDocument, _ bytes: Span<UInt8>
    ) throws(PushCryptError) {
        let key = try Key(jwk)
        let kid = key.publicKey.kid
        guard try document.asciiString("kid", of: object, in: bytes) == kid else {
            throw PushCryptError(
                .thumbprintMismatch,
                "A \"kid\" in the keyring is not the thumbprint \(kid) of its key. Restore it from a backup.")
        }
        guard seen.insert(kid).inserted else {
            throw PushCryptError(.duplicateKey, "The keyring has the key \(kid) twice. Remove one of them.")
        }
        var entry = Keyring.Entry(key: key, created: try Self.date("created", of: object, document, bytes))
        if document.member("lifetime", of: object, in: bytes) != nil {
            entry.lifetime = try document.integer(
                "lifetime", of: object, in: bytes, from: KeyLifetime.range, orThrow: .malformedKeyring)
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
            let date = try Self.date("retired", of: object, document, bytes)
            retired.append(entry.retired(at: date, isDateKnown: try Self.isDateKnown(object, document, bytes)))
        default:
            throw PushCryptError(
                .unknownKeyState,
                "The \"state\" of the key \(kid) is unknown. Use \"primary\", \"pending\" or \"retired\".")
        }
    }

    /// Returns `clock` and `believed`, which must both be present or both be missing.
    static func elapsedTime(_ bytes: Span<UInt8>, _ document: JSONDocument) throws(PushCryptError) -> ElapsedTime? {
        guard document.member("clock", in: bytes) != nil || document.member("believed", in: bytes) != nil else {
            return nil
        }
        return ElapsedTime(
            clock: try date("clock", of: document.root, document, bytes),
            estimate: try date("believed", of: document.root, document, bytes))
    }

    /// Returns `known`, which must be `true` or missing.
    private static func isDateKnown(
        _ object: JSONDocument.Value, _ document: JSONDocument, _ bytes: Span<UInt8>
    ) throws(PushCryptError) -> Bool {
        guard let member = document.member("known", of: object, in: bytes) else { return false }
        guard document.isTrue(member, in: bytes) else {
            throw PushCryptError(.malformedKeyring, "\"known\" is not true. Remove it or restore the keyring.")
        }
        return true
    }

    private static func date(
        _ name: String, of object: JSONDocument.Value, _ document: JSONDocument, _ bytes: Span<UInt8>
    ) throws(PushCryptError) -> Date {
        let seconds = try document.integer(name, of: object, in: bytes, orThrow: .malformedKeyring)
        return Date(timeIntervalSince1970: TimeInterval(seconds))
    }
}
