internal import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptPayload
internal import PushCryptReceiver
internal import PushCryptRules
internal import PushCryptSender

/// What everybody on the way can read of a payload, without any key.
struct Inspection {
    /// The payload.
    private let bytes: [UInt8]
    /// What is in it that has no other value in it, in the order of the payload; sealed values left out.
    private let visible: [JSONDocument.Leaf]
    /// How many bytes the payload has.
    let length: Int
    /// How many bytes APNs takes.
    let limit: Int
    /// The sealed values: one, two in a push that starts a Live Activity; none where nothing is sealed.
    let sealedValues: [SealedMember]

    /// A sealed value.
    struct SealedMember {
        /// Where it is.
        let place: String
        /// What can be read of it; or why nothing can.
        let sealed: Result<Sealed, PushCryptError>
    }

    /// What an envelope says of itself.
    struct Sealed {
        let version: UInt8
        let keyID: KeyID
        let envelopeLength: Int
        /// Padding included: the length of the original is not to be seen.
        var messageLength: Int { envelopeLength - Envelope.overhead }
    }

    /// Refuses to show what somebody has taken for a payload, and is a key.
    ///
    /// - Throws: ``PushCryptError`` with `invalidPayload`.
    static func refuseKeys(_ json: [UInt8]) throws(PushCryptError) {
        guard let document = try? JSONDocument(scanning: json.span) else { return }
        let keys = document.member("keys", in: json.span).map { $0.kind }
        guard document.member("kty", in: json.span) == nil, keys != .array,
            !ProtectedKeyring.isProtected(json.span) || document.member("aps", in: json.span) != nil
        else {
            throw PushCryptError(
                .invalidPayload, "This is a key or a keyring, not a payload. It belongs to nobody's eyes.")
        }
    }

    /// Inspects a payload.
    init(_ json: [UInt8], limit: Int) throws(PushCryptError) {
        let document = try JSONDocument(scanning: json.span)
        try Self.refuseKeys(json)
        // By the bytes of the names, not as a dictionary: that would keep one of two that look alike.
        let places = [[Envelope.payloadKey]] + Self.liveActivityPlaces
        visible = document.leaves(in: json.span).filter { leaf in
            !places.contains { Self.hasSameContents(leaf.path.prefix($0.count), $0) }
        }
        let aps = document.member("aps", in: json.span)
        var members = [(Envelope.payloadKey, document.member(Envelope.payloadKey, in: json.span))]
        for (key, place) in zip(Self.sealedKeys, Self.liveActivityPlaces) {
            let parent = document.member(key.rawValue, of: aps, in: json.span)
            members.append(
                (place.joined(separator: "."), document.member(Envelope.payloadKey, of: parent, in: json.span)))
        }
        sealedValues = members.compactMap { place, member in
            member.map { SealedMember(place: place, sealed: Self.sealed(document.string($0, in: json.span))) }
        }
        bytes = json
        length = json.count
        self.limit = limit
    }

    private static let sealedKeys: [PayloadKey] = [.attributes, .contentState]
    private static let liveActivityPlaces = sealedKeys.map { $0.path + [Envelope.payloadKey] }

    private static func hasSameContents(_ path: some Sequence<String>, _ other: [String]) -> Bool {
        path.elementsEqual(other) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// Why what is called sealed is not, if there is such a value.
    var problem: PushCryptError? {
        sealedValues.lazy.compactMap { if case .failure(let error) = $0.sealed { error } else { nil } }.first
    }

    private static func sealed(_ text: String?) -> Result<Sealed, PushCryptError> {
        do throws(PushCryptError) {
            guard let text else {
                throw PushCryptError(.malformedEnvelope, "ENCRYPTED_DATA is not a string.")
            }
            let envelope = try SealedValue(text: text).envelope()
            let keyID = try Envelope.keyID(of: envelope)
            return .success(Sealed(version: Envelope.version, keyID: keyID, envelopeLength: envelope.count))
        } catch {
            return .failure(error)
        }
    }

    /// The visible values, each with the path of names that leads to it, in the order of the payload.
    ///
    /// As many as APNs takes in one payload, with paths of readable length, so that nothing that is no payload costs more
    /// memory than its own length lets one expect.
    var visibleValues: (rows: [(path: String, value: String)], omitted: Int) {
        let shown = visible.prefix(PushType.voip.maximumPayloadLength / 2)
        let rows = shown.map { leaf in
            (path: leaf.path.map(Self.readable).joined(separator: "."), value: text(leaf))
        }
        return (rows, visible.count - shown.count)
    }

    private static func readable(_ name: String) -> String {
        guard name.utf8.count > 64, name.unicodeScalars.count > 64 else { return name }
        return String(String.UnicodeScalarView(name.unicodeScalars.prefix(64))) + "…"
    }

    private func text(_ leaf: JSONDocument.Leaf) -> String {
        switch leaf.value.kind {
        case .object: return "{}"
        case .array: return "[]"
        case .number, .boolean, .null: return String(decoding: bytes[leaf.value.range], as: UTF8.self)
        case .string:
            var spelt: [UInt8] = []
            JSONText.append(
                String(decoding: JSONText.decoded(bytes.span, leaf.value.contents), as: UTF8.self), to: &spelt)
            return String(decoding: spelt, as: UTF8.self)
        }
    }

    /// The visible members as a value, without sealed ones.
    func visibleMembers() throws(PushCryptError) -> [String: JSONValue] {
        var members = try JSONValue(parsing: bytes).objectValue ?? [:]
        members[Envelope.payloadKey] = nil
        guard case .object(var aps) = members["aps"] else { return members }
        for key in Self.sealedKeys {
            guard case .object(var object) = aps[key.rawValue], object.removeValue(forKey: Envelope.payloadKey) != nil
            else { continue }
            aps[key.rawValue] = object.isEmpty ? nil : .object(object)
        }
        members["aps"] = .object(aps)
        return members
    }
}
