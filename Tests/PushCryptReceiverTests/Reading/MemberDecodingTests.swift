import Foundation
import PushCryptReceiver
import PushCryptTesting
import TestSupport
import Testing

/// Errors that name the member, and no content of the payload.
@Suite struct MemberDecodingTests {
    private struct Person: Decodable {
        enum Kind: String, Decodable { case friend, foe }

        struct Address: Decodable {
            let street: String
            let numbers: [Int]
        }

        let kind: Kind
        let home: Address
        let page: URL
    }

    /// Returns the reason of a decoding error; `secret` and `4711` are content.
    private func reason<Value: Decodable>(
        _ json: String, _ path: [String] = ["d"], as type: Value.Type,
        _ code: PushCryptError.Code = .typeMismatch,
        using decoder: JSONDecoder = JSONDecoder()
    ) throws -> String {
        let reader = try reader(json)
        let error = thrownError {
            switch path.count {
            case 0: try reader.custom(as: type, using: decoder)
            case 1: try reader.custom(path[0], as: type, using: decoder)
            default: try reader.custom(path[0], path[1], as: type, using: decoder)
            }
        }
        #expect(error?.code == code)
        let reason = try #require(error?.reason)
        #expect(!reason.contains("secret"))
        #expect(!reason.contains("4711"))
        return reason
    }

    private static let person =
        #"{"kind":"friend","home":{"street":"s","numbers":[1]},"page":"https://a.example"}"#

    private func person(_ old: String, _ new: String) throws -> String {
        let changed = Self.person.replacingOccurrences(of: old, with: new)
        #expect(changed != Self.person)
        return #"{"d":\#(changed)}"#
    }

    @Test("A valid member is decoded") func validMemberIsDecoded() throws {
        #expect(
            try reader(#"{"d":\#(Self.person)}"#).custom("d", as: Person.self).home.numbers == [1])
    }

    @Test("The member is named at each depth") func memberIsNamedAtEachDepth() throws {
        #expect(
            try reason(person(#""friend""#, #""secret""#), as: Person.self)
                == #""d.kind" isn't valid for its type. Check the value."#)
        #expect(
            try reason(person(#""s""#, "4711"), as: Person.self)
                == #""d.home.street" isn't of the type String. Check the type."#)
        #expect(
            try reason(person("[1]", #"[1,2,"secret"]"#), as: Person.self)
                == #""d.home.numbers.2" isn't of the type Int. Check the type."#)
        #expect(
            try reason(person("[1]", "[1,null]"), as: Person.self, .missingValue)
                == #""d.home.numbers.1" is null instead of Int. Make it optional."#)
        #expect(
            try reason(person("https://a.example", ""), as: Person.self)
                == #""d.page" isn't valid for its type. Check the value."#)
        #expect(
            try reason(person(#""home""#, #""secret""#), as: Person.self, .missingValue)
                == #""d.home" is missing. Make it optional."#)
        #expect(
            try reason(person(#""street":"s","#, ""), as: Person.self, .missingValue)
                == #""d.home.street" is missing. Make it optional."#)
    }

    @Test("The location begins with the path") func locationBeginsWithThePath() throws {
        let json = #"{"a":{"d":{"kind":4711}}}"#
        #expect(
            try reason(json, ["a", "d"], as: Person.self)
                == #""a.d.kind" isn't of the type String. Check the type."#)
        #expect(
            try reason(#"{"kind":4711}"#, [], as: Person.self)
                == #""kind" isn't of the type String. Check the type."#)
        #expect(
            try reason(#"{"kind":4711}"#, [], as: [Int].self).hasPrefix(
                "The payload isn't of the type "))
    }

    @Test("A member of a simple type is its own location")
    func memberOfASimpleTypeIsItsOwnLocation() throws {
        #expect(
            try reason(#"{"d":"secret"}"#, as: Int.self)
                == #""d" isn't of the type Int. Check the type."#)
        #expect(
            try reason(#"{"d":4711.5}"#, as: Int.self)
                == #""d" isn't valid for its type. Check the value."#)
        #expect(
            try reason(#"{"d":471147114711471147114711}"#, as: Int.self).hasPrefix(#""d" isn't "#))
        #expect(try reason(#"{"d":1e400}"#, as: Double.self).hasPrefix(#""d" isn't "#))
        #expect(
            try reason(#"{"d":"secret"}"#, as: Date.self)
                == #""d" isn't of the type Double. Check the type."#)
        #expect(try reason(#"{"d":"secret!"}"#, as: Data.self).hasPrefix(#""d" isn't "#))
        #expect(try reason(#"{"d":"secret"}"#, as: Person.Kind.self).hasPrefix(#""d" isn't "#))
        #expect(
            try reason(#"{"d":{"secret":4711}}"#, as: String.self)
                == #""d" isn't of the type String. Check the type."#)
    }

    // MARK: Names that come from the payload

    @Test("A dictionary's keys aren't named") func dictionarysKeysArentNamed() throws {
        #expect(
            try reason(#"{"d":{"secret":"x"}}"#, as: [String: Int].self)
                == #""d.…" isn't of the type Int. Check the type."#)
        #expect(
            try reason(#"{"d":{"secret":{"secret":"x"}}}"#, as: [String: [String: Int]].self)
                == #""d.….…" isn't of the type Int. Check the type."#)
        #expect(
            try reason(#"{"d":{"secret":[1,"secret"]}}"#, as: [String: [Int]].self)
                == #""d.….1" isn't of the type Int. Check the type."#)
        #expect(
            try reason(#"{"d":{"secret":{"kind":"secret"}}}"#, as: [String: Person].self)
                == #""d.….kind" isn't valid for its type. Check the value."#)
    }

    @Test("Names that a type takes from the payload aren't named")
    func namesThatATypeTakesFromThePayloadArentNamed()
        throws
    {
        struct Table: Decodable {
            struct Key: CodingKey {
                let stringValue: String
                var intValue: Int? { nil }
                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                for key in container.allKeys { _ = try container.decode(Int.self, forKey: key) }
            }
        }
        #expect(
            try reason(#"{"d":{"secret":"x"}}"#, as: Table.self)
                == #""d.…" isn't of the type Int. Check the type."#)
    }

    // MARK: Errors of the app's own types

    @Test("An app's own error is named by its type only") func appsOwnErrorIsNamedByItsTypeOnly()
        throws
    {
        struct Refused: Error { let text = "secret" }
        struct Picky: Decodable {
            init(from decoder: any Decoder) throws { throw Refused() }
        }
        #expect(
            try reason(#"{"d":"secret"}"#, as: Picky.self)
                == #""d" was rejected by its type with Refused. Check the type."#)
    }

    @Test("A description that quotes the value isn't repeated")
    func descriptionThatQuotesTheValueIsntRepeated() throws {
        struct Chatty: Decodable {
            init(from decoder: any Decoder) throws {
                let text = try decoder.singleValueContainer().decode(String.self)
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "not \(text)"))
            }
        }
        #expect(
            try reason(#"{"d":"secret"}"#, as: Chatty.self)
                == #""d" isn't valid for its type. Check the value."#)
    }

    @Test("An error of this library is passed on") func errorOfThisLibraryIsPassedOn() throws {
        struct Strict: Decodable {
            init(from decoder: any Decoder) throws { throw PushCryptError(.expired, "Too late.") }
        }
        #expect(try reason(#"{"d":1}"#, as: Strict.self, .expired) == "Too late.")
    }
}
