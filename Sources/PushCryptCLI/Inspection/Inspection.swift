internal import PushCryptCore
internal import PushCryptReceiver

/// What everybody on the way can read of a payload, without any key.
struct Inspection {
    /// The visible members, `ENCRYPTED_DATA` left out.
    let visible: [String: JSONValue]
    /// How many bytes the payload has.
    let length: Int
    /// How many bytes APNs takes.
    let limit: Int
    /// What can be read of the sealed value; or why nothing can.
    let sealed: Result<Sealed, PushCryptError>

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
        visible = members.filter { $0.key != Envelope.payloadKey }
        length = json.count
        self.limit = limit
        do throws(PushCryptError) {
            let envelope = try SealedValue(json: json).envelope()
            let keyID = try Envelope.keyID(of: envelope)
            sealed = .success(Sealed(version: Envelope.version, keyID: keyID, envelopeLength: envelope.count))
        } catch {
            sealed = .failure(error)
        }
    }

    /// The visible values, each with the path of names that leads to it, in alphabetical order.
    var visibleValues: [(path: String, value: String)] {
        Self.flattened(.object(visible), path: "").sorted { $0.path < $1.path }
    }

    private static func flattened(_ value: JSONValue, path: String) -> [(path: String, value: String)] {
        switch value {
        case .object(let members) where !members.isEmpty:
            members.flatMap { flattened($0.value, path: path.isEmpty ? $0.key : "\(path).\($0.key)") }
        case .array(let elements) where !elements.isEmpty:
            elements.enumerated().flatMap { flattened($0.element, path: "\(path)[\($0.offset)]") }
        default:
            [(path, text(value))]
        }
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
