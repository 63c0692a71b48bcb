import Foundation
import PushCryptCore
import TestSupport
import Testing

@testable import PushCryptPayload

/// Tests of values of the wrong type, whose errors have the location but never the value.
@Suite struct PayloadTypeTests {
    /// Values of each kind, with text that no error may contain.
    static let values: [JSONValue] = [
        .null, true, .number(JSONNumber(7331)), .number(JSONNumber(UInt64.max)),
        .number(JSONNumber(7331.5)),
        .number(JSONNumber(Decimal(7331) / 1000)),
        "secret 7331", [], ["secret 7331"], [7331], ["secret 7331", .null], [:],
        ["secret 7331": 7331],
    ]

    private func holds(_ key: PayloadKey, _ value: JSONValue) -> Bool {
        if value == .null { return true }
        switch (key.kind, value) {
        case (.string, .string), (.dictionary, .object): return true
        case (.string, .object): return [.title, .subtitle, .body].contains(key)
        case (.stringOrDictionary, .string), (.stringOrDictionary, .object): return true
        case (.strings, .array(let elements)): return elements.allSatisfy { $0.stringValue != nil }
        case (.integer, .number(let number)), (.flag, .number(let number)): return number.int != nil
        case (.flag, .bool), (.number, .number): return true
        default: return false
        }
    }

    private func members(_ key: PayloadKey, _ value: JSONValue) -> [String: JSONValue] {
        let members: JSONValue = .object([key.rawValue: value])
        switch key.parent {
        case .aps: return ["aps": members]
        case .alert: return ["aps": ["alert": members]]
        case .sound: return ["aps": ["sound": members]]
        }
    }

    @Test("A value of the wrong type is rejected", arguments: PayloadKey.allCases)
    func aValueOfTheWrongTypeIsRejected(key: PayloadKey) throws {
        for value in Self.values {
            let members = members(key, value)
            let error = thrownError { try Payload(members) }
            #expect((error == nil) == holds(key, value), "\(value)")
            guard let error else { continue }
            #expect(error.code == .typeMismatch)
            #expect(
                error.reason
                    == "\"\(key.path.joined(separator: "."))\" is not \(key.kind.rawValue).")
            #expect(!error.description.contains("secret") && !error.description.contains("7331"))
            // The errors of Foundation's decoder quote values.
            let data = try JSONEncoder().encode(members)
            #expect(
                thrownError { try JSONDecoder().decode(Payload.self, from: data) }?.reason
                    == error.reason)
        }
    }

    @Test(
        "An aps that is not a dictionary is rejected",
        arguments: [true, 7331, 1.5, "secret", [], ["secret"]] as [JSONValue])
    func anApsThatIsNotADictionaryIsRejected(value: JSONValue) throws {
        let error = try #require(thrownError { try Payload(["aps": value]) })
        #expect(error.code == .typeMismatch && error.reason == "\"aps\" is not a dictionary.")
    }
}
