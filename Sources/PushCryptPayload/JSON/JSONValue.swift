public import PushCryptCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Any JSON value, for the parts of a payload that have no type of their own.
///
/// Payloads that are given as JSON are sealed byte for byte and never pass through this type; it is for reading them.
public enum JSONValue: Hashable, Sendable {
    /// The value `null`, and what has no representation here: a number beyond `Double`, such as `1e400`.
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A whole number that fits 64 bits with a sign.
    case integer(Int64)
    /// A whole number above `Int64.max` that fits 64 bits without a sign.
    case unsignedInteger(UInt64)
    /// Any other number, as long as a `Double` is written with the same digits.
    case number(Double)
    /// A number with more digits than a `Double` has, up to the 38 of `Decimal`.
    case decimal(Decimal)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object. The order of its members is not kept, and of names that differ in Unicode normalization only, one.
    case object([String: JSONValue])

    /// Reads strict JSON: one object, as a payload is.
    ///
    /// - Parameter json: the object in UTF-8.
    /// - Throws: ``PushCryptError`` with `malformedJSON` and the offset of what is wrong.
    public init(parsing json: [UInt8]) throws(PushCryptError) {
        _ = try JSONDocument(scanning: json.span)
        self = try Self.decode(JSONValue.self, from: json)
    }

    /// The same for `Data`, or the `utf8` of a string.
    ///
    /// - Parameter json: the object in UTF-8.
    /// - Throws: ``PushCryptError`` as for an array of bytes.
    @inlinable
    public init(parsing json: some Collection<UInt8>) throws(PushCryptError) {
        try self.init(parsing: Array(json))
    }

    /// The JSON of a value of the app's own, for a payload's custom data.
    ///
    /// It is encoded by Foundation's `JSONEncoder` with its own defaults, dates as seconds since 2001 among them.
    ///
    /// - Parameter value: what to encode.
    /// - Throws: ``PushCryptError`` with `invalidPayload` where the value does not encode.
    public init(encoding value: some Encodable) throws(PushCryptError) {
        self = try Self.decode(JSONValue.self, from: JSONText.encoded(value))
    }

    /// Decodes JSON that the scanner has passed.
    package static func decode<Value: Decodable>(_: Value.Type, from json: [UInt8]) throws(PushCryptError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(json))
        } catch {
            // The decoder's own error would quote the payload.
            throw PushCryptError(.malformedJSON, "A value in the JSON has no representation here: a number too large?")
        }
    }

    /// The string, where it is one.
    public var stringValue: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The object's members, where it is one.
    public var objectValue: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The array's elements, where it is one.
    public var arrayValue: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The number, where it is one.
    public var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsignedInteger(let value): Double(value)
        case .number(let value): value
        case .decimal(let value): Double("\(value)")
        default: nil
        }
    }

    /// The whole number, where it is one and fits.
    public var intValue: Int? {
        switch self {
        case .integer(let value): Int(exactly: value)
        case .unsignedInteger(let value): Int(exactly: value)
        case .number(let value): Int(exactly: value)
        default: nil
        }
    }

    /// A member of an object.
    ///
    /// - Parameter name: the member's name.
    /// - Returns: its value; `nil` where this is no object or has no such member.
    public subscript(name: String) -> JSONValue? {
        objectValue?[name]
    }
}

extension JSONValue: Codable {
    /// Decodes whatever value is there.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Int64.self), Self.isExact(Decimal(value), container) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt64.self), Self.isExact(Decimal(value), container) {
            self = .unsignedInteger(value)
        } else if let value = Self.fraction(container) {
            self = value
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else if let members = try? container.decode([String: JSONValue].self) {
            self = .object(members)
        } else {
            // One number that nothing can hold must not cost the reader the whole message.
            self = .null
        }
    }

    /// Whether a number is this whole one: Foundation reads 12345678901234567.89 as a whole number too, and drops the rest.
    private static func isExact(_ value: Decimal, _ container: any SingleValueDecodingContainer) -> Bool {
        guard let exact = try? container.decode(Decimal.self) else { return true }
        return exact == value
    }

    /// A number that is no whole one of 64 bits, with all its digits where something can hold them.
    private static func fraction(_ container: any SingleValueDecodingContainer) -> JSONValue? {
        guard let value = try? container.decode(Double.self) else { return nil }
        guard let exact = try? container.decode(Decimal.self), Decimal(string: "\(value)") != exact else {
            return .number(value)
        }
        return .decimal(exact)
    }

    /// Encodes the value as it is.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsignedInteger(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .decimal(let value):
            guard value.isFinite else {
                let context = EncodingError.Context(
                    codingPath: encoder.codingPath, debugDescription: "JSON has no NaN.")
                throw EncodingError.invalidValue(value, context)
            }
            try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}
