internal import PushCryptCore
internal import PushCryptKeyring

/// A delivered value of `ENCRYPTED_DATA`: base64url text that isn't checked yet.
package struct SealedValue: Sendable, Hashable {
    /// The text in UTF-8.
    let text: [UInt8]

    package init(text: [UInt8]) { self.text = text }

    /// Takes the value from a dictionary of the system, at the carrier's location and no other.
    ///
    /// - Throws: ``PushCryptError`` with `notSealed` if it's missing, `malformedEnvelope` if it
    ///   isn't a string, or `invalidConfiguration` if the carrier isn't known.
    init(userInfo: [AnyHashable: Any], from carrier: Carrier) throws(PushCryptError) {
        let delivery = try SealedPlace(of: carrier)
        guard let value = delivery.value(in: userInfo) else { throw Self.notSealed(at: delivery) }
        guard let text = value as? String else { throw Self.notText }
        self.text = Array(text.utf8)
    }

    /// Takes the value from a payload in UTF-8.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJSON`, `notSealed`, `malformedEnvelope` or
    ///   `invalidConfiguration`.
    init(json: [UInt8], from carrier: Carrier) throws(PushCryptError) {
        let bytes = json.span
        text = JSONText.decoded(bytes, try Self.range(in: bytes, from: carrier))
    }

    /// Returns the envelope's bytes.
    ///
    /// Nothing in them is authenticated yet.
    ///
    /// - Throws: ``PushCryptError`` with `malformedBase64`.
    package func envelope() throws(PushCryptError) -> [UInt8] { try Base64URL.decode(text.span) }

    /// Returns the range of the value in a payload's JSON, without its quotation marks.
    static func range(in json: Span<UInt8>, from carrier: Carrier) throws(PushCryptError) -> Range<
        Int
    > {
        let delivery = try SealedPlace(of: carrier)
        let document = try JSONDocument(scanning: json)
        var found: JSONDocument.Value? = document.root
        for name in delivery.place {
            found = document.member(name, of: found, in: json)
        }
        guard let member = found else { throw notSealed(at: delivery) }
        guard member.kind == .string else { throw notText }
        return member.contents
    }

    private static func notSealed(at delivery: SealedPlace) -> PushCryptError {
        let place = delivery.place.joined(separator: ".")
        return PushCryptError(
            .notSealed,
            """
            \(place) is missing. The payload wasn't sealed, or the value was removed. Seal the \
            payload.
            """)
    }

    static let notText = PushCryptError(
        .malformedEnvelope, "ENCRYPTED_DATA isn't a string. Send the payload as it was sealed.")
}
