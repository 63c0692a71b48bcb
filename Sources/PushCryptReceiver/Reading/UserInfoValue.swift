#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

// What the system's dictionaries hold, as JSON again.
extension JSONValue {
    /// The JSON object that a dictionary of the system stands for.
    ///
    /// - Parameter userInfo: the dictionary.
    /// - Throws: ``PushCryptError`` with `mistypedMember` where it holds what no payload can: a date, for instance.
    package init(userInfo: [AnyHashable: Any]) throws(PushCryptError) {
        self = .object(try Self.members(userInfo))
    }

    private static func members(_ dictionary: [AnyHashable: Any]) throws(PushCryptError) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for (key, value) in dictionary {
            guard let name = key.base as? String else {
                throw PushCryptError(.mistypedMember, "The dictionary has a key that is no string.")
            }
            members[name] = try JSONValue(any: value)
        }
        return members
    }

    private init(any value: Any) throws(PushCryptError) {
        switch value {
        case let value as String: self = .string(value)
        case let value as [AnyHashable: Any]: self = .object(try Self.members(value))
        case let value as [Any]:
            var elements: [JSONValue] = []
            for element in value { elements.append(try JSONValue(any: element)) }
            self = .array(elements)
        default:
            guard let value = JSONValue(scalar: value) else {
                throw PushCryptError(
                    .mistypedMember,
                    "The dictionary holds a value of the type \(type(of: value)), which no payload has.")
            }
            self = value
        }
    }

    #if canImport(FoundationEssentials)
    private init?(scalar value: Any) {
        switch value {
        case let value as JSONValue: self = value
        case let value as Bool: self = .bool(value)
        case let value as Int: self = .integer(Int64(value))
        case let value as Int64: self = .integer(value)
        case let value as UInt64: self = Int64(exactly: value).map { .integer($0) } ?? .unsignedInteger(value)
        case let value as Double: self = value.isFinite ? .number(value) : .null
        case let value as Decimal: self = .decimal(value)
        default: return nil
        }
    }
    #else
    private init?(scalar value: Any) {
        if value is NSNull {
            self = .null
            return
        }
        guard let number = value as? NSNumber else { return nil }
        // A cast would take 1 for `true`: only the type tells them apart.
        if CFGetTypeID(number) == CFBooleanGetTypeID() {
            self = .bool(number.boolValue)
        } else if let decimal = number as? NSDecimalNumber {
            self = .decimal(decimal.decimalValue)
        } else if !CFNumberIsFloatType(number) {
            self =
                number.compare(NSNumber(value: Int64.max)) == .orderedDescending
                ? .unsignedInteger(number.uint64Value) : .integer(number.int64Value)
        } else {
            self = number.doubleValue.isFinite ? .number(number.doubleValue) : .null
        }
    }
    #endif
}
