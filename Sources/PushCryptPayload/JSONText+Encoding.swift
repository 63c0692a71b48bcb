public import PushCryptCore
internal import PushCryptFoundation

extension JSONText {
    /// Returns a value as JSON without white space, with sorted names and no needless escapes.
    ///
    /// - Throws: ``PushCryptError`` with `invalidPayload` if the value doesn't encode.
    package static func encoded(_ value: some Encodable) throws(PushCryptError) -> [UInt8] {
        if let payload = value as? Payload { return try payload.json() }
        if let value = value as? JSONValue { return try value.json() }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(value))
        } catch {
            // The encoder's own error may quote the payload.
            throw PushCryptError(
                .invalidPayload, "The value of type \(type(of: value)) does not encode to JSON.")
        }
    }
}

extension JSONValue {
    /// Encodes a value of the app to JSON with the defaults of `JSONEncoder`, for a payload's
    /// custom data.
    ///
    /// - Throws: ``PushCryptError`` with `invalidPayload` if the value doesn't encode.
    public init(encoding value: some Encodable) throws(PushCryptError) {
        let object = Array(#"{"":"#.utf8) + (try JSONText.encoded(value)) + [UInt8(ascii: "}")]
        self = try JSONValue(parsing: object)[""] ?? .null
    }
}
