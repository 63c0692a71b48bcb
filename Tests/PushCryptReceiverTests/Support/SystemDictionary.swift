import Foundation
import PushCryptPayload
import Testing

/// Returns a payload as a dictionary of the system: Swift values without `null`, which a property
/// list can't contain.
func systemDictionary(_ json: [UInt8]) throws -> [AnyHashable: Any] {
    systemDictionary(try #require(try JSONValue(parsing: json).objectValue))
}

/// Returns members as a dictionary of the system.
func systemDictionary(_ members: [String: JSONValue]) -> [AnyHashable: Any] {
    members.compactMapValues(systemValue)
}

private func systemValue(_ value: JSONValue) -> Any? {
    switch value {
    case .null: nil
    case .bool(let value): value
    case .number(let value): systemNumber(value)
    case .string(let value): value
    case .array(let values): values.compactMap(systemValue)
    case .object(let members): members.compactMapValues(systemValue)
    }
}

private func systemNumber(_ number: JSONNumber) -> Any? {
    if let value = number.exactly(Int64.self) { return value }
    if let value = number.exactly(UInt64.self) { return value }
    if let value = number.double, JSONNumber(value) == number { return value }
    return number.decimal
}
