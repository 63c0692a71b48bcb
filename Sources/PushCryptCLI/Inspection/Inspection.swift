internal import PushCryptCore
internal import PushCryptReceiver
internal import PushCryptSender

/// What everybody on the way can read of a payload, without any key.
struct Inspection {
    /// The visible members, `ENCRYPTED_DATA` left out.
    let visible: [String: JSONValue]
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

    /// Inspects a payload.
    init(_ json: [UInt8], limit: Int) throws(PushCryptError) {
        let members = try JSONValue(parsing: json).objectValue ?? [:]
        guard members["kty"] == nil, members["keys"]?.arrayValue == nil else {
            throw PushCryptError(
                .invalidPayload, "This is a key or a keyring, not a payload. It belongs to nobody's eyes.")
        }
        var rest = members
        var found: [SealedMember] = []
        if let value = rest.removeValue(forKey: Envelope.payloadKey) {
            found.append(SealedMember(place: Envelope.payloadKey, sealed: Self.sealed(value)))
        }
        if case .object(var aps) = rest["aps"] {
            for key in [PayloadKey.attributes, .contentState] {
                guard case .object(var object) = aps[key.rawValue],
                    let value = object.removeValue(forKey: Envelope.payloadKey)
                else { continue }
                let place = "\(key.path.joined(separator: ".")).\(Envelope.payloadKey)"
                found.append(SealedMember(place: place, sealed: Self.sealed(value)))
                aps[key.rawValue] = object.isEmpty ? nil : .object(object)
            }
            rest["aps"] = .object(aps)
        }
        visible = rest
        sealedValues = found
        length = json.count
        self.limit = limit
    }

    /// Why what is called sealed is not, if there is such a value.
    var problem: PushCryptError? {
        sealedValues.lazy.compactMap { if case .failure(let error) = $0.sealed { error } else { nil } }.first
    }

    private static func sealed(_ value: JSONValue) -> Result<Sealed, PushCryptError> {
        do throws(PushCryptError) {
            guard let text = value.stringValue else {
                throw PushCryptError(.malformedEnvelope, "ENCRYPTED_DATA is not a string.")
            }
            let envelope = try SealedValue(text: text).envelope()
            let keyID = try Envelope.keyID(of: envelope)
            return .success(Sealed(version: Envelope.version, keyID: keyID, envelopeLength: envelope.count))
        } catch {
            return .failure(error)
        }
    }

    /// The visible values, each with the path of names that leads to it, in alphabetical order.
    ///
    /// As many as APNs takes in one payload, with paths of readable length, so that nothing that is no payload costs more
    /// memory than its own length lets one expect.
    var visibleValues: (rows: [(path: String, value: String)], omitted: Int) {
        var rows: [(path: String, value: String)] = []
        var omitted = 0
        func add(_ value: JSONValue, _ path: String) {
            switch value {
            case .object(let members) where !members.isEmpty:
                for member in members.sorted(by: { $0.key < $1.key }) {
                    let name = Self.readable(member.key)
                    add(member.value, path.isEmpty ? name : "\(path).\(name)")
                }
            case .array(let elements) where !elements.isEmpty:
                for (index, element) in elements.enumerated() { add(element, "\(path)[\(index)]") }
            case _ where rows.count == PushType.voip.maximumPayloadLength / 2: omitted += 1
            default: rows.append((path, Self.text(value)))
            }
        }
        add(.object(visible), "")
        return (rows, omitted)
    }

    private static func readable(_ name: String) -> String {
        guard name.utf8.count > 64, name.unicodeScalars.count > 64 else { return name }
        return String(String.UnicodeScalarView(name.unicodeScalars.prefix(64))) + "…"
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .unsignedInteger(let value): "\(value)"
        case .number(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .string(let value):
            {
                var bytes: [UInt8] = []
                JSONText.append(value, to: &bytes)
                return String(decoding: bytes, as: UTF8.self)
            }()
        case .array: "[]"
        case .object: "{}"
        }
    }
}
