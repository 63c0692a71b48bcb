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
        let document = try JWK.scan(bytes)
        let set = try JWKSet(bytes, document)
        var parser = KeyringParser<Key>()
        for element in set.elements {
            try parser.add(element.jwk, element.object, document, bytes)
        }
        guard let primary = parser.primary else {
            throw PushCryptError(.noPrimaryKey, "The keyring has no primary key. Restore it from a backup.")
        }
        let generation = try document.integer("generation", of: document.root, in: bytes, orThrow: .malformedKeyring)
        guard generation > 0 else {
            throw PushCryptError(.malformedKeyring, "The keyring's \"generation\" is 0. Restore it from a backup.")
        }
        self.init(
            generation: generation, primary: primary, pending: parser.pending, retired: parser.retired,
            elapsedTime: try KeyringParser<Key>.elapsedTime(bytes, document),
            owner: try KeyringParser<Key>.owner(bytes, document))
    }

    /// Returns the keyring as JSON **with its private keys** in guarded memory, for a store.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    package func exportWithPrivateKeys() throws(PushCryptError) -> SecretBytes {
        var head = #"{"generation":\#(generation)"#
        if let elapsedTime {
            head += ",\"clock\":\(ExactInteger.seconds(elapsedTime.clock))"
            head += ",\"believed\":\(ExactInteger.seconds(elapsedTime.estimate))"
        }
        if let owner {
            var quoted: [UInt8] = []
            JSONText.append(owner, to: &quoted)
            head += ",\"owner\":\(String(decoding: quoted, as: UTF8.self))"
        }
        var pieces: [Piece] = [.text(head + ",\"keys\":[")]
        pieces += try Self.pieces(for: primary, state: "primary")
        for entry in pending { pieces += try [.text(",")] + Self.pieces(for: entry, state: "pending") }
        for entry in retired {
            let date =
                ",\"retired\":\(ExactInteger.seconds(entry.retired))" + (entry.isDateKnown ? ",\"known\":true" : "")
            let active = Entry(key: entry.key, created: entry.created)
            pieces += try [.text(",")] + Self.pieces(for: active, state: "retired", date)
        }
        pieces.append(.text("\n]}\n"))
        return try SecretBytes(count: pieces.reduce(0) { $0 + $1.length }) { (bytes) throws(PushCryptError) in
            var position = 0
            for piece in pieces {
                piece.write(to: &bytes, at: position)
                position += piece.length
            }
        }
    }

    /// Returns the keyring as JSON, and the keyring that this JSON parses to, so that only valid JSON is stored.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`, or the error of parsing.
    package func exportToStore() throws(PushCryptError) -> (stored: Self, contents: SecretBytes) {
        let contents = try exportWithPrivateKeys()
        let stored = try contents.withSpan { (bytes) throws(PushCryptError) in try Self(parsing: bytes) }
        return (stored, contents)
    }

    private static func pieces(
        for entry: Entry, state: String, _ retired: String = ""
    ) throws(PushCryptError) -> [Piece] {
        let jwk = entry.key.publicKey.jwk.dropLast()
        let created = ExactInteger.seconds(entry.created)
        return [
            .text("\n\(jwk),\"created\":\(created)\(retired),\"state\":\"\(state)\",\"d\":\""),
            .secret(try entry.key.secretBytes()), .text("\"}"),
        ]
    }
}

/// A part of a keyring's JSON: public text, or a private key, which is encoded in guarded memory only.
private enum Piece {
    case text(String)
    case secret(SecretBytes)

    var length: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .secret: SecretBase64.encodedLength
        }
    }

    func write(to bytes: inout MutableSpan<UInt8>, at position: Int) {
        switch self {
        case .text(let text):
            for (index, byte) in text.utf8.enumerated() { bytes[position + index] = byte }
        case .secret(let key):
            SecretBase64.encodeKey(key, into: &bytes, at: position)
        }
    }
}

/// The parsed keys of a keyring.
private struct KeyringParser<Key: PrivateKey> {
    var primary: Keyring<Key>.Entry?
    var pending: [Keyring<Key>.Entry] = []
    var retired: [Keyring<Key>.RetiredEntry] = []
    private var seen: Set<Thumbprint> = []

    mutating func add(
        _ jwk: JWK, _ object: JSONDocument.Value, _ document: JSONDocument, _ bytes: Span<UInt8>
    ) throws(PushCryptError) {
        let key = try Key(jwk)
        let thumbprint = key.publicKey.thumbprint
        guard try document.asciiString("kid", of: object, in: bytes) == thumbprint.description else {
            throw PushCryptError(
                .thumbprintMismatch,
                "A \"kid\" in the keyring is not the thumbprint \(thumbprint) of its key. Restore it from a backup.")
        }
        guard seen.insert(thumbprint).inserted else {
            throw PushCryptError(.duplicateKey, "The keyring has the key \(thumbprint) twice. Remove one of them.")
        }
        let entry = Keyring.Entry(key: key, created: try Self.date("created", of: object, document, bytes))
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
                "The \"state\" of the key \(thumbprint) is unknown. Use \"primary\", \"pending\" or \"retired\".")
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

    static func owner(_ bytes: Span<UInt8>, _ document: JSONDocument) throws(PushCryptError) -> String? {
        guard document.member("owner", in: bytes) != nil else { return nil }
        return try document.asciiString("owner", of: document.root, in: bytes)
    }

    private static func date(
        _ name: String, of object: JSONDocument.Value, _ document: JSONDocument, _ bytes: Span<UInt8>
    ) throws(PushCryptError) -> Date {
        let seconds = try document.integer(name, of: object, in: bytes, orThrow: .malformedKeyring)
        return Date(timeIntervalSince1970: TimeInterval(seconds))
    }
}
