public import PushCryptCore

/// The value of `ENCRYPTED_DATA` as it was delivered: base64url text that nobody has looked into yet.
public struct SealedValue: Sendable, Hashable {
    /// The text's UTF-8.
    let text: [UInt8]

    init(text: [UInt8]) {
        self.text = text
    }

    /// Takes the text itself.
    package init(text: String) {
        self.init(text: Array(text.utf8))
    }

    /// Takes the value out of a notification's `userInfo`, as the system hands it over.
    ///
    /// - Parameter userInfo: the dictionary; also that of a background or VoIP push.
    /// - Throws: ``PushCryptError`` with `notSealed` where there is none, `malformedEnvelope` where it is no string.
    public init(userInfo: [AnyHashable: Any]) throws(PushCryptError) {
        guard let value = userInfo[Envelope.payloadKey] else { throw Self.notSealed }
        guard let text = value as? String else { throw Self.notText }
        self.text = Array(text.utf8)
    }

    /// Takes the value out of a payload as JSON.
    ///
    /// - Parameter json: the payload in UTF-8.
    /// - Throws: ``PushCryptError`` with `malformedJSON`, `notSealed` or `malformedEnvelope`.
    public init(json: [UInt8]) throws(PushCryptError) {
        let bytes = json.span
        text = JSONText.decoded(bytes, try Self.place(in: bytes))
    }

    /// The same for `Data`, or the `utf8` of a string.
    ///
    /// - Parameter json: the payload in UTF-8.
    /// - Throws: ``PushCryptError`` as for an array of bytes.
    @inlinable
    public init(json: some Collection<UInt8>) throws(PushCryptError) {
        try self.init(json: Array(json))
    }

    /// The envelope's bytes, of which nothing is authenticated yet.
    ///
    /// - Returns: the bytes that the text stands for.
    /// - Throws: ``PushCryptError`` with `malformedBase64`.
    package func envelope() throws(PushCryptError) -> [UInt8] {
        try Base64URL.decode(text.span)
    }

    /// Where in a payload's JSON the value is, without its quotation marks.
    static func place(in json: Span<UInt8>) throws(PushCryptError) -> Range<Int> {
        let document = try JSONDocument(scanning: json)
        guard let member = document.member(Envelope.payloadKey, in: json) else { throw notSealed }
        guard member.kind == .string else { throw notText }
        return member.contents
    }

    private static var notSealed: PushCryptError {
        PushCryptError(
            .notSealed, "The payload has no ENCRYPTED_DATA. It was not sealed, or somebody on the way left the key out."
        )
    }

    private static var notText: PushCryptError {
        PushCryptError(.malformedEnvelope, "ENCRYPTED_DATA is not a string.")
    }
}
