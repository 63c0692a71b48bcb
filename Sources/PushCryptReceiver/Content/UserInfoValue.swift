// FoundationEssentials doesn't have NSNumber and NSNull.
internal import Foundation
internal import PushCryptCore
internal import PushCryptPayload

extension JSONValue {
    /// The greatest depth of a payload, as in the scanner of JSON, so that the stack of a small
    /// thread suffices.
    private static let maximumDepth = 64

    /// Creates the JSON object of a system's dictionary.
    ///
    /// - Throws: ``PushCryptError`` with `typeMismatch` if it contains a value that a payload
    ///   can't, such as a date, or more than 64 levels.
    init(userInfo: [AnyHashable: Any]) throws(PushCryptError) {
        self = .object(try Self.members(userInfo, depth: 1))
    }

    private static func members(
        _ dictionary: [AnyHashable: Any], depth: Int
    ) throws(PushCryptError) -> [String: JSONValue] {
        guard depth <= maximumDepth else { throw tooDeep }
        var members: [String: JSONValue] = [:]
        for (key, value) in dictionary {
            guard let name = key.base as? String else {
                throw PushCryptError(
                    .typeMismatch, "A key of the dictionary isn't a string. Pass a push.")
            }
            members[name] = try JSONValue(any: value, depth: depth)
        }
        return members
    }

    private init(any value: Any, depth: Int) throws(PushCryptError) {
        // Dictionaries first: on Linux, asking one whether it's a number converts all of it.
        switch value {
        case let value as [AnyHashable: Any]:
            self = .object(try Self.members(value, depth: depth + 1))
        case let value as [Any]:
            guard depth < Self.maximumDepth else { throw Self.tooDeep }
            var elements: [JSONValue] = []
            for element in value { elements.append(try JSONValue(any: element, depth: depth + 1)) }
            self = .array(elements)
        case let value as JSONValue: self = value
        case let value as String: self = .string(value)
        case is NSNull: self = .null
        // Not every release bridges between the two.
        case let value as Decimal where type(of: value as Any) == Decimal.self:
            self = value.isFinite ? .number(JSONNumber(value)) : .null
        case let value as NSDecimalNumber:
            self = value.decimalValue.isFinite ? .number(JSONNumber(value.decimalValue)) : .null
        case let value as NSNumber: self.init(number: value)
        default:
            throw PushCryptError(
                .typeMismatch,
                """
                The dictionary has a value of the type \(type(of: value)), which payloads don't \
                have. Pass a push.
                """)
        }
    }

    private static let tooDeep = PushCryptError(
        .typeMismatch, "The dictionary has more than \(maximumDepth) levels. Pass a push.")

    private init(number: NSNumber) {
        if Self.isFlag(number) {
            self = .bool(number.boolValue)
        } else if !number.doubleValue.isFinite {
            self = .null
        } else if number.compare(NSNumber(value: number.int64Value)) == .orderedSame {
            self = .number(JSONNumber(number.int64Value))
        } else if number.compare(NSNumber(value: number.uint64Value)) == .orderedSame {
            self = .number(JSONNumber(number.uint64Value))
        } else {
            self = .number(JSONNumber(number.doubleValue))
        }
    }

    /// Returns whether a number is a Boolean value; a cast would accept 1 and 0 too.
    private static func isFlag(_ number: NSNumber) -> Bool {
        #if canImport(Darwin)
        CFGetTypeID(number) == CFBooleanGetTypeID()
        #else
        // There is one object for each of the two.
        number === NSNumber(value: true) || number === NSNumber(value: false)
        #endif
    }
}
