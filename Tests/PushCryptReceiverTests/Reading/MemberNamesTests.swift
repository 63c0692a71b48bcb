import Foundation
import PushCryptReceiver
import PushCryptTesting
import TestSupport
import Testing

/// Names of the payload, which are content and never in errors.
@Suite struct MemberNamesTests {
    private func reason<Value: Decodable>(
        _ json: String, as type: Value.Type, using decoder: JSONDecoder = JSONDecoder()
    ) throws -> String {
        let reader = try reader(json)
        return try #require(
            thrownError { try reader.custom("d", as: type, using: decoder) }?.reason)
    }

    @Test("A name of digits isn't an index") func nameOfDigitsIsntAnIndex() throws {
        let json = #"{"d":{"4929123412341234":"x"}}"#
        #expect(
            try reason(json, as: [String: Int].self)
                == #""d.…" isn't of the type Int. Check the type."#)
        #expect(
            try reason(json, as: [Int: Int].self)
                == #""d.…" isn't of the type Int. Check the type."#)
        #expect(
            try reason(#"{"d":{"4711":[1,"x"]}}"#, as: [String: [Int]].self)
                == #""d.….1" isn't of the type Int. Check the type."#)
    }

    @Test("A key strategy doesn't reveal names") func keyStrategyDoesntRevealNames() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(
            try reason(#"{"d":{"secret_name":"x"}}"#, as: [String: Int].self, using: decoder)
                == #""d.…" isn't of the type Int. Check the type."#)
    }

    @Test("A coding key that accepts any name isn't named")
    func codingKeyThatAcceptsAnyNameIsntNamed() throws {
        enum Key: CodingKey {
            case known
            case other(String)

            init(stringValue: String) {
                self = stringValue == "known" ? .known : .other(stringValue)
            }
            init?(intValue: Int) { nil }

            var intValue: Int? { nil }
            var stringValue: String {
                switch self {
                case .known: "known"
                case .other(let name): name
                }
            }
        }
        struct Table: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                for key in container.allKeys { _ = try container.decode(Int.self, forKey: key) }
            }
        }
        #expect(
            try reason(#"{"d":{"secret":"x"}}"#, as: Table.self)
                == #""d.…" isn't of the type Int. Check the type."#)
        #expect(
            try reason(#"{"d":{"known":"x"}}"#, as: Table.self)
                == #""d.known" isn't of the type Int. Check the type."#)
    }
}
