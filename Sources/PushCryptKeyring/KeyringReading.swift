package import PushCryptCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Keyring {
    /// Reads a keyring as it is stored: a JWK Set with a `generation`, and in each key `created`, `state` and, where it
    /// is retired, `retired`.
    ///
    /// Nothing is mended.
    ///
    /// - Parameter bytes: the JSON.
    /// - Throws: ``PushCryptError`` with `malformedJWK`, `wrongKeyType`, `keyPairMismatch`, `thumbprintMismatch`,
    ///   `malformedKeyring`, `noPrimaryKey`, `multiplePrimaryKeys`, `unknownKeyState` or `duplicateKey`.
    package init(parsing bytes: Span<UInt8>) throws(PushCryptError) {
        let document = try JWK.scan(bytes)
        let set = try JWKSet(bytes, document)
        var reading = KeyringReading<Key>()
        for element in set.elements {
            try reading.add(element.jwk, element.object, document, bytes)
        }
        guard let primary = reading.primary else {
            throw PushCryptError(.noPrimaryKey, "No key of this keyring has the state \"primary\".")
        }
        let generation = try KeyringReading<Key>.number("generation", bytes, document, document.root)
        guard generation > 0 else {
            throw PushCryptError(.malformedKeyring, "A keyring's \"generation\" is at least 1; here it is 0.")
        }
        self.init(
            generation: generation, primary: primary,
            pending: reading.pending, retired: reading.retired, watch: try KeyringReading<Key>.watch(bytes, document),
            owner: try KeyringReading<Key>.owner(bytes, document))
    }
}

/// A keyring as far as it has been read.
private struct KeyringReading<Key: PrivateKey> {
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
                "A \"kid\" in the keyring is not the thumbprint of its key, which is \(thumbprint).")
        }
        guard seen.insert(thumbprint).inserted else {
            throw PushCryptError(.duplicateKey, "The keyring has the key \(thumbprint) twice.")
        }
        let created = try Self.date("created", bytes, document, object)
        switch try document.asciiString("state", of: object, in: bytes) {
        case "primary":
            guard primary == nil else {
                throw PushCryptError(.multiplePrimaryKeys, "Two keys of this keyring have the state \"primary\".")
            }
            primary = Keyring.Entry(key: key, created: created)
        case "pending":
            pending.append(Keyring.Entry(key: key, created: created))
        case "retired":
            let date = try Self.date("retired", bytes, document, object)
            let isKnown = try Self.isDateKnown(bytes, document, object)
            retired.append(Keyring.RetiredEntry(key: key, created: created, retired: date, isDateKnown: isKnown))
        default:
            throw PushCryptError(
                .unknownKeyState, "The key \(thumbprint) has a \"state\" that is neither pending, primary nor retired."
            )
        }
    }

    /// `clock` and `believed`, which come together or not at all.
    static func watch(_ bytes: Span<UInt8>, _ document: JSONDocument) throws(PushCryptError) -> ElapsedTime? {
        guard document.member("clock", in: bytes) != nil || document.member("believed", in: bytes) != nil else {
            return nil
        }
        return ElapsedTime(
            clock: try date("clock", bytes, document, document.root),
            believed: try date("believed", bytes, document, document.root))
    }

    /// `known`, which is `true` or not there.
    private static func isDateKnown(
        _ bytes: Span<UInt8>, _ document: JSONDocument, _ object: JSONDocument.Value
    ) throws(PushCryptError) -> Bool {
        guard let member = document.member("known", of: object, in: bytes) else { return false }
        guard document.isTrue(member, in: bytes) else {
            throw PushCryptError(.malformedKeyring, "A retired key's \"known\" is \"true\" or not there.")
        }
        return true
    }

    static func owner(_ bytes: Span<UInt8>, _ document: JSONDocument) throws(PushCryptError) -> String? {
        guard document.member("owner", in: bytes) != nil else { return nil }
        return try document.asciiString("owner", of: document.root, in: bytes)
    }

    static func date(
        _ name: String, _ bytes: Span<UInt8>, _ document: JSONDocument, _ object: JSONDocument.Value
    ) throws(PushCryptError) -> Date {
        Date(timeIntervalSince1970: TimeInterval(try number(name, bytes, document, object)))
    }

    static func number(
        _ name: String, _ bytes: Span<UInt8>, _ document: JSONDocument, _ object: JSONDocument.Value
    ) throws(PushCryptError) -> UInt64 {
        guard let number = document.integer(document.member(name, of: object, in: bytes), in: bytes),
            number <= ExactInteger.maximum
        else {
            throw PushCryptError(.malformedKeyring, "The keyring needs a whole number \"\(name)\", and lacks it.")
        }
        return number
    }
}
