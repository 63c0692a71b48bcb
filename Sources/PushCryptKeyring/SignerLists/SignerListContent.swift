internal import PushCryptCore
internal import PushCryptFoundation

/// The content of a ``SignerList``: the JSON that a root signs.
struct SignerListContent: Sendable, Hashable {
    let keys: [VerificationKey]
    let number: UInt64
    let issued: Date
    let expiration: Date
    let audience: String?

    /// Checks the values of a new list.
    ///
    /// - Throws: ``PushCryptError`` with `malformedSignerList`.
    init(
        keys: [VerificationKey], number: UInt64, issued: Date, expiration: Date, audience: String?
    ) throws(PushCryptError) {
        guard !keys.isEmpty else { throw SignerList.malformed("it has no keys") }
        guard keys.count <= AcceptedSigners.maximumCount else {
            throw SignerList.malformed(
                "it has \(keys.count) keys and may have \(AcceptedSigners.maximumCount)")
        }
        guard Set(keys).count == keys.count else {
            throw SignerList.malformed("it has a key twice")
        }
        guard (1...JSONDocument.maximumInteger).contains(number) else {
            throw SignerList.malformed("its number is outside of 1 to 2^53 - 1")
        }
        let times = [issued.secondsSince1970, expiration.secondsSince1970]
        guard times[0] < times[1], times[1] <= JSONDocument.maximumInteger else {
            throw SignerList.malformed("it expires before it is issued, or its times are too large")
        }
        self.keys = keys
        self.number = number
        self.issued = Date(timeIntervalSince1970: TimeInterval(times[0]))
        self.expiration = Date(timeIntervalSince1970: TimeInterval(times[1]))
        self.audience = audience
    }

    /// The content as JSON, without white space.
    var json: String {
        var json =
            #"{"keys":["# + keys.map(\.jwk).joined(separator: ",") + #"],"number":\#(number)"#
        json += #","iat":\#(issued.secondsSince1970),"exp":\#(expiration.secondsSince1970)"#
        if let audience {
            var quoted: [UInt8] = []
            JSONText.append(audience, to: &quoted)
            json += #","aud":"# + String(decoding: quoted, as: UTF8.self)
        }
        return json + "}"
    }

    /// Parses the signed content of a list.
    ///
    /// - Throws: ``PushCryptError`` with `malformedSignerList`.
    init(parsing bytes: Span<UInt8>) throws(PushCryptError) {
        let document = try JSONDocument(
            scanning: bytes, "content of the list", fix: "Announce it again.",
            orThrow: .malformedSignerList)
        guard let array = document.member("keys", in: bytes), array.kind == .array else {
            throw SignerList.malformed("\"keys\" is missing or isn't an array")
        }
        var keys: [VerificationKey] = []
        for element in document.children(of: array) {
            guard element.kind == .object, let jwk = try? JWK(bytes, document, of: element),
                jwk.privateKey == nil,
                let key = try? VerificationKey(jwk)
            else { throw SignerList.malformed("an element of \"keys\" isn't a public Ed25519 key") }
            keys.append(key)
        }
        let issued = try document.date(
            "iat", of: document.root, in: bytes, orThrow: .malformedSignerList)
        let expiration = try document.date(
            "exp", of: document.root, in: bytes, orThrow: .malformedSignerList)
        let audience = document.member("aud", in: bytes)
        guard audience == nil || audience?.kind == .string else {
            throw SignerList.malformed("\"aud\" isn't a string")
        }
        try self.init(
            keys: keys,
            number: try document.integer(
                "number", of: document.root, in: bytes, from: 1...JSONDocument.maximumInteger,
                orThrow: .malformedSignerList),
            issued: issued, expiration: expiration, audience: document.string(audience, in: bytes))
    }

    /// Returns a Boolean value that indicates whether two audiences have the same bytes.
    ///
    /// Swift compares strings by Unicode equivalence.
    static func isSame(_ left: String?, _ right: String?) -> Bool {
        left.map { Array($0.utf8) } == right.map { Array($0.utf8) }
    }
}
