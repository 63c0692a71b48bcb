public import PushCryptCore

/// A JSON value of any type.
public enum JSONValue: Hashable, Sendable {
    /// The value `null`.
    case null
    /// The value `true` or `false`.
    case bool(Bool)
    /// A number with all its digits.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object, without the order of its members.
    case object([String: JSONValue])

    /// Parses one strict JSON object.
    ///
    /// - Parameter json: The object in UTF-8.
    /// - Throws: ``PushCryptError`` with `malformedJSON` and the offset of the problem. That
    ///   includes two names that differ in Unicode normalization only, because a Swift dictionary
    ///   holds one of them.
    public init(parsing json: some UTF8Text) throws(PushCryptError) {
        try self.init(json.bytesForPushCrypt, keepingLastName: false)
    }

    /// Parses one strict JSON object for display, with the last of two names that differ in Unicode
    /// normalization only.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJSON`.
    package init(forDisplay json: [UInt8]) throws(PushCryptError) {
        try self.init(json, keepingLastName: true)
    }

    private init(_ json: [UInt8], keepingLastName: Bool) throws(PushCryptError) {
        let bytes = json.span
        let document = try JSONDocument(scanning: bytes)
        try self.init(document.root, document, in: bytes, keepingLastName: keepingLastName)
    }

    private init(
        _ value: JSONDocument.Value, _ document: JSONDocument, in bytes: Span<UInt8>,
        keepingLastName: Bool
    ) throws(PushCryptError) {
        switch value.kind {
        case .null: self = .null
        case .boolean: self = .bool(document.isTrue(value, in: bytes))
        case .number: self = .number(JSONNumber(scanned: document.number(value, in: bytes) ?? ""))
        case .string: self = .string(document.string(value, in: bytes) ?? "")
        case .array:
            var elements: [JSONValue] = []
            for element in document.children(of: value) {
                elements.append(
                    try JSONValue(element, document, in: bytes, keepingLastName: keepingLastName))
            }
            self = .array(elements)
        case .object:
            var members: [String: JSONValue] = [:]
            for member in document.children(of: value) {
                let new = try JSONValue(
                    member, document, in: bytes, keepingLastName: keepingLastName)
                guard
                    members.updateValue(new, forKey: document.name(of: member, in: bytes)) == nil
                        || keepingLastName
                else {
                    throw PushCryptError(
                        .malformedJSON,
                        """
                        At byte \((member.name?.lowerBound ?? 1) - 1), a member's name differs \
                        from an earlier one in \
                        Unicode normalization only. Give the members different names.
                        """)
                }
            }
            self = .object(members)
        }
    }

    /// Returns the value as JSON without white space, with members sorted by the bytes of names.
    ///
    /// - Returns: The JSON in UTF-8.
    /// - Throws: ``PushCryptError`` with `invalidPayload` for infinity and NaN.
    public func json() throws(PushCryptError) -> [UInt8] {
        var json: [UInt8] = []
        try write(to: &json)
        return json
    }

    private func write(to json: inout [UInt8]) throws(PushCryptError) {
        switch self {
        case .null: json += "null".utf8
        case .bool(let value): json += (value ? "true" : "false").utf8
        case .number(let number):
            guard number.isJSON else {
                throw PushCryptError(.invalidPayload, "JSON has no infinity and no NaN.")
            }
            json += number.text.utf8
        case .string(let string): JSONText.append(string, to: &json)
        case .array(let elements):
            json.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                try element.write(to: &json)
            }
            json.append(UInt8(ascii: "]"))
        case .object(let members):
            json.append(UInt8(ascii: "{"))
            // By bytes: Swift's order of strings depends on their normalization.
            let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            for (index, member) in sorted.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                JSONText.append(member.key, to: &json)
                json.append(UInt8(ascii: ":"))
                try member.value.write(to: &json)
            }
            json.append(UInt8(ascii: "}"))
        }
    }

    /// The string; `nil` for any other value.
    public var stringValue: String? { if case .string(let string) = self { string } else { nil } }

    /// The members of the object; `nil` for any other value.
    public var objectValue: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The elements of the array; `nil` for any other value.
    public var arrayValue: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The number; `nil` for any other value.
    package var numberValue: JSONNumber? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The `Double` nearest to the number; `nil` for any other value.
    public var doubleValue: Double? { numberValue?.double }

    /// The number as an integer; `nil` for any other value.
    public var intValue: Int? { numberValue?.int }

    /// Returns a member of the object; `nil` if this isn't an object with such a member.
    public subscript(name: String) -> JSONValue? {
        objectValue?[name]
    }
}

extension JSONValue: Codable {
    /// Decodes a value of any type, with numbers of at most the digits of `Decimal`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else if let members = try? container.decode([String: JSONValue].self) {
            self = .object(members)
        } else {
            self = .number(try JSONNumber(from: container))
        }
    }

    /// Encodes the value.
    ///
    /// - Throws: `EncodingError` for a number that neither `Double` nor `Decimal` holds; ``json()``
    ///   encodes all numbers.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try value.encode(to: &container)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}
