public import PushCryptCore
internal import PushCryptPayload

/// The whole payload of a Live Activity push, opened: for tools and tests. A device opens the parts one by one.
extension Opener {
    /// The payload as it was before it was sealed.
    ///
    /// - Parameter json: the payload in UTF-8, as it travels.
    /// - Returns: the same payload, with the originals in the place of what is sealed in `aps.content-state` and
    ///   `aps.attributes`, byte for byte.
    /// - Throws: ``PushCryptError`` with `malformedJSON`, `notSealed` where neither is sealed, or why one does not open.
    public func open(liveActivity json: [UInt8]) throws(PushCryptError) -> [UInt8] {
        let document = try JSONDocument(scanning: json.span)
        let aps = document.member("aps", in: json.span)
        var opened: [(place: Range<Int>, payload: [UInt8])] = []
        for key in [PayloadKey.attributes, .contentState] {
            guard let parent = document.member(key.rawValue, of: aps, in: json.span),
                let member = document.member(Envelope.payloadKey, of: parent, in: json.span)
            else { continue }
            guard member.kind == .string else {
                throw PushCryptError(.malformedEnvelope, "ENCRYPTED_DATA is not a string.")
            }
            let text = JSONText.decoded(json.span, member.contents)
            opened.append((parent.range, try open(SealedValue(text: text)).payload))
        }
        guard !opened.isEmpty else {
            throw PushCryptError(
                .notSealed, "Neither aps.content-state nor aps.attributes has an ENCRYPTED_DATA.")
        }
        var result = json
        for (place, payload) in opened.sorted(by: { $0.place.lowerBound > $1.place.lowerBound }) {
            result.replaceSubrange(place, with: payload)
        }
        return result
    }

    /// The same for `Data`, or the `utf8` of a string.
    ///
    /// - Parameter json: the payload in UTF-8, as it travels.
    /// - Returns: the payload as it was before it was sealed.
    /// - Throws: ``PushCryptError`` as for an array of bytes.
    @inlinable
    public func open(liveActivity json: some Collection<UInt8>) throws(PushCryptError) -> [UInt8] {
        try open(liveActivity: Array(json))
    }
}
