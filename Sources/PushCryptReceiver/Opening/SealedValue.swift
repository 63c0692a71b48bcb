internal import PushCryptCore

/// A delivered value of `ENCRYPTED_DATA`: base64url text that isn't checked yet.
package struct SealedValue: Sendable, Hashable {
    /// The text in UTF-8.
    let text: [UInt8]

    package init(text: [UInt8]) { self.text = text }

    /// Takes the value from a dictionary of the system.
    ///
    /// - Throws: ``PushCryptError`` with `notSealed` if it's missing, `malformedEnvelope` if it isn't a string.
    package init(userInfo: [AnyHashable: Any]) throws(PushCryptError) {
        guard let value = userInfo[Envelope.payloadKey] else { throw Self.notSealed }
        guard let text = value as? String else { throw Self.notText }
        self.text = Array(text.utf8)
    }

    /// Takes the value from a payload in UTF-8.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJSON`, `notSealed` or `malformedEnvelope`.
    package init(json: [UInt8]) throws(PushCryptError) {
        let bytes = json.span
        text = JSONText.decoded(bytes, try Self.range(in: bytes))
    }

    /// Returns the envelope's bytes.
    ///
    /// Nothing in them is authenticated yet.
    ///
    /// - Throws: ``PushCryptError`` with `malformedBase64`.
    package func envelope() throws(PushCryptError) -> [UInt8] { try Base64URL.decode(text.span) }

    /// Returns the range of the value in a payload's JSON, without its quotation marks.
    static func range(in json: Span<UInt8>) throws(PushCryptError) -> Range<Int> {
        let document = try JSONDocument(scanning: json)
        guard let member = document.member(Envelope.payloadKey, in: json) else { throw notSealed }
        guard member.kind == .string else { throw notText }
        return member.contents
    }

    private static let notSealed = PushCryptError(
        .notSealed, "ENCRYPTED_DATA is missing. The payload wasn't sealed, or the value was removed. Seal the payload.")

    static let notText = PushCryptError(
        .malformedEnvelope, "ENCRYPTED_DATA isn't a string. Send the payload as it was sealed.")
}
