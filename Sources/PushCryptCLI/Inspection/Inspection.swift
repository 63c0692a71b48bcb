internal import PushCryptLint
internal import PushCryptReceiver
internal import PushCryptSender

/// The parts of a payload that are readable without any key.
struct Inspection {
    let bytes: [UInt8]
    /// The payload's leaf values in document order, without sealed values.
    private let visible: [JSONDocument.Leaf]
    var length: Int { bytes.count }
    /// The number of bytes that APNs accepts.
    let limit: Int
    /// The sealed values: at most one, or two in a push that starts a Live Activity.
    let sealedValues: [SealedMember]

    struct SealedMember {
        let location: String
        let sealed: Result<Sealed, PushCryptError>
    }

    /// The readable properties of an envelope.
    struct Sealed {
        let keyID: KeyID
        let envelopeLength: Int
        /// The length with padding, which hides the length of the original.
        var messageLength: Int { envelopeLength - Envelope.overhead }
    }

    init(_ json: [UInt8], limit: Int) throws(PushCryptError) {
        let document = try JSONDocument(scanning: json.span)
        let places = ([[]] + Self.sealedKeys.map(\.path)).map { $0 + [Envelope.payloadKey] }
        // By the bytes of the names: a dictionary would keep one of two that look alike.
        visible = document.leaves(in: json.span).filter { leaf in
            !places.contains {
                $0.elementsEqual(leaf.path.prefix($0.count)) { $0.utf8.elementsEqual($1.utf8) }
            }
        }
        sealedValues = places.compactMap { place in
            var value: JSONDocument.Value? = document.root
            for name in place { value = document.member(name, of: value, in: json.span) }
            return value.map {
                SealedMember(
                    location: place.joined(separator: "."),
                    sealed: Self.sealed(document.string($0, in: json.span)))
            }
        }
        bytes = json
        self.limit = limit
    }

    private static let sealedKeys: [PayloadKey] = [.attributes, .contentState]

    /// The error of the first sealed value that is malformed.
    var problem: PushCryptError? {
        sealedValues.lazy.compactMap {
            if case .failure(let error) = $0.sealed { error } else { nil }
        }.first
    }

    private static func sealed(_ text: String?) -> Result<Sealed, PushCryptError> {
        Result { () throws(PushCryptError) in
            guard let text else {
                throw PushCryptError(.malformedEnvelope, "ENCRYPTED_DATA is not a string.")
            }
            let envelope = try SealedValue(text: Array(text.utf8)).envelope()
            return Sealed(keyID: try Envelope.keyID(of: envelope), envelopeLength: envelope.count)
        }
    }

    /// A value that Apple and every relay can read.
    struct VisibleValue {
        /// The names of the members that lead to the value.
        let path: [String]
        /// The value as JSON.
        let value: String

        /// The path as text, with long names shortened.
        var name: String { path.map(Inspection.readable).joined(separator: ".") }
    }

    /// The visible values in document order, limited so that the output stays small.
    var visibleValues: (rows: [VisibleValue], omitted: Int) {
        let shown = visible.prefix(PushType.voip.maximumPayloadLength / 2)
        return (
            shown.map { VisibleValue(path: $0.path, value: text($0)) }, visible.count - shown.count
        )
    }

    private static func readable(_ name: String) -> String {
        guard name.utf8.count > 64, name.unicodeScalars.count > 64 else { return name }
        return String(String.UnicodeScalarView(name.unicodeScalars.prefix(64))) + "…"
    }

    private func text(_ leaf: JSONDocument.Leaf) -> String {
        switch leaf.value.kind {
        case .object: return "{}"
        case .array: return "[]"
        case .number, .boolean, .null:
            return String(decoding: bytes[leaf.value.range], as: UTF8.self)
        case .string:
            var encoded: [UInt8] = []
            let text = String(
                decoding: JSONText.decoded(bytes.span, leaf.value.contents), as: UTF8.self)
            JSONText.append(KeyMaterial.redacted(text), to: &encoded)
            return String(decoding: encoded, as: UTF8.self)
        }
    }

    func visibleMembers() throws(PushCryptError) -> [String: JSONValue] {
        var members = try JSONValue(parsing: bytes).objectValue ?? [:]
        members[Envelope.payloadKey] = nil
        guard case .object(var aps) = members["aps"] else { return members }
        for key in Self.sealedKeys {
            guard case .object(var object) = aps[key.rawValue],
                object.removeValue(forKey: Envelope.payloadKey) != nil
            else { continue }
            aps[key.rawValue] = object.isEmpty ? nil : .object(object)
        }
        members["aps"] = .object(aps)
        return members
    }
}
