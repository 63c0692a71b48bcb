internal import PushCryptCore
public import PushCryptFoundation

/// A JSON number with its digits as written, so that none is lost.
///
/// Two numbers are equal if their values are: `1.50` equals `15e-1`.
public struct JSONNumber: Sendable, CustomStringConvertible {
    let text: String

    /// The number as it is written in JSON.
    public var description: String { text }

    init(scanned text: String) { self.text = text }

    /// Parses a number as JSON writes it.
    ///
    /// - Parameter text: The number, for example `-12.5e3`; the result is `nil` for any other text.
    public init?(_ text: String) {
        guard JSONText.isNumber(text) else { return nil }
        self.text = text
    }

    /// Creates a number from an integer.
    public init(_ value: some BinaryInteger) { text = "\(value)" }

    /// Creates a number from the shortest text that reads as a value; infinity and NaN can't be
    /// encoded.
    public init(_ value: Double) { text = Int64(exactly: value).map { "\($0)" } ?? "\(value)" }

    /// Creates a number from all digits of a value.
    public init(_ value: Decimal) { text = "\(value)" }

    /// The value as an integer; `nil` if it has a fraction or doesn't fit.
    public var int: Int? { exactly(Int.self) }

    /// The nearest `Double`; `nil` if the value is out of its range.
    public var double: Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// The value as a `Decimal`; `nil` if it has more digits or a greater exponent than a
    /// `Decimal`.
    public var decimal: Decimal? {
        guard let value = Decimal(string: text), JSONNumber(value) == self else { return nil }
        return value
    }

    /// Returns the value as an integer type; `nil` if it has a fraction or doesn't fit.
    package func exactly<Value: FixedWidthInteger>(_: Value.Type) -> Value? {
        if let value = Value(text) { return value }
        guard let parts, (0..<40).contains(parts.exponent) else { return nil }
        let zeros = String(repeating: "0", count: Int(parts.exponent))
        return Value((parts.isNegative ? "-" : "") + parts.digits + zeros)
    }

    /// A Boolean value that indicates whether JSON has the number: infinity and NaN end with a
    /// letter.
    var isJSON: Bool { text.utf8.last.map { $0 <= UInt8(ascii: "9") } ?? false }

    /// The digits without zeros at either end, and the power of ten that they are multiplied by;
    /// `nil` if the exponent doesn't fit.
    private var parts: (isNegative: Bool, digits: String, exponent: Int64)? {
        let halves = text.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
        guard let mantissa = halves.first, isJSON,
            // 64 bits on each system, so that the number of digits can't overflow the sums below.
            var exponent = halves.count > 1 ? Int32(halves[1]).map(Int64.init) : 0
        else { return nil }
        let sides = mantissa.drop { $0 == "-" }.split(separator: ".", maxSplits: 1)
        exponent -= sides.count > 1 ? Int64(sides[1].utf8.count) : 0
        var digits = sides.joined().drop { $0 == "0" }
        guard !digits.isEmpty else { return (false, "0", 0) }
        while digits.last == "0" {
            digits.removeLast()
            exponent += 1
        }
        return (text.hasPrefix("-"), String(digits), exponent)
    }
}

extension JSONNumber: Hashable {
    /// Returns a Boolean value that indicates whether two numbers have the same value.
    public static func == (one: JSONNumber, other: JSONNumber) -> Bool {
        if one.text == other.text { return true }
        guard let one = one.parts, let other = other.parts else { return false }
        return one == other
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        guard let parts else { return hasher.combine(text) }
        hasher.combine(parts.isNegative)
        hasher.combine(parts.digits)
        hasher.combine(parts.exponent)
    }
}

extension JSONNumber {
    /// Decodes a number: all digits if the decoder has `Decimal`, otherwise the digits of an
    /// integer or a `Double`.
    init(from container: any SingleValueDecodingContainer) throws {
        let double = try? container.decode(Double.self)
        if let decimal = try? container.decode(Decimal.self), decimal.isFinite,
            type(of: decimal) == Decimal.self,
            double == nil || JSONNumber(decimal).double == double
        {
            self.init(decimal)
        } else if let integer = try? container.decode(Int64.self), double == Double(integer) {
            self.init(integer)
        } else if let integer = try? container.decode(UInt64.self), double == Double(integer) {
            self.init(integer)
        } else {
            self.init(try container.decode(Double.self))
        }
    }

    /// Encodes a number as the first type that holds all of it: `Int64`, `UInt64`, `Double` or
    /// `Decimal`.
    func encode(to container: inout any SingleValueEncodingContainer) throws {
        if let value = exactly(Int64.self) {
            try container.encode(value)
        } else if let value = exactly(UInt64.self) {
            try container.encode(value)
        } else if let value = double, JSONNumber(value) == self {
            try container.encode(value)
        } else if let value = decimal {
            try container.encode(value)
        } else {
            let context = EncodingError.Context(
                codingPath: container.codingPath,
                debugDescription: "No type of this encoder holds the number.")
            throw EncodingError.invalidValue(text, context)
        }
    }
}
