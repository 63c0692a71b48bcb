import Foundation
import PushCryptReceiver
import PushCryptTesting
import TestSupport
import Testing

@Suite struct CustomMembersTests {
    private struct Order: Codable, Hashable {
        enum State: String, Codable { case open, closed }

        let id: Int
        let state: State
        let note: String?
    }

    private static let json = """
        {"aps":{"alert":{"title":"t"}},"order":{"id":42,"state":"open","note":null,"lines":[{"sku":"a"},{"sku":"b"}]},\
        "big":18446744073709551615,"price":1.10,"flag":true,"none":null,"list":[1,2,3],"a.b":"dot","":"empty","é":"accent",\
        "date":"2026-01-01T00:00:00Z","order_id":7}
        """

    // MARK: Names

    @Test("A member is decoded as its type") func memberIsDecodedAsItsType() throws {
        let reader = try reader(Self.json)
        #expect(
            try reader.custom("order", as: Order.self) == Order(id: 42, state: .open, note: nil))
        #expect(try reader.custom("big", as: UInt64.self) == .max)
        #expect(try reader.custom("price", as: Decimal.self) == Decimal(string: "1.1"))
        #expect(try reader.custom("price", as: Double.self) == 1.1)
        #expect(try reader.custom("flag", as: Bool.self))
        #expect(try reader.custom("list", as: [Int].self) == [1, 2, 3])
        #expect(try reader.custom("list", as: JSONValue.self) == [1, 2, 3])
        #expect(try reader.custom("order", as: Order?.self)?.id == 42)
    }

    @Test("Several names lead to a nested member") func severalNamesLeadToANestedMember() throws {
        let reader = try reader(Self.json)
        #expect(try reader.custom("order", "state", as: String.self) == "open")
        #expect(
            try reader.custom("order", "lines", as: [[String: String]].self).map { $0["sku"] } == [
                "a", "b",
            ])
        #expect(try reader.custom("aps", "alert", "title", as: String.self) == "t")
    }

    @Test("Names are matched exactly") func namesAreMatchedExactly() throws {
        let reader = try reader(Self.json)
        #expect(try reader.custom("a.b", as: String.self) == "dot")
        #expect(try reader.custom("", as: String.self) == "empty")
        #expect(try reader.custom("é", as: String.self) == "accent")
        #expect(try reader.customIfPresent("a", "b", as: String.self) == nil)
        let escaped = try CustomMembersTests.escapedReader()
        #expect(try escaped.custom("order", "é", as: Int.self) == 1)
    }

    private static func escapedReader() throws -> PayloadReader {
        try reader(#"{"\u006frder":{"\u00e9":1}}"#)
    }

    @Test("Without a name the whole payload is decoded") func withoutANameTheWholePayloadIsDecoded()
        throws
    {
        struct Whole: Decodable { let order: Order }
        #expect(try reader(Self.json).custom(as: Whole.self).order.id == 42)
    }

    // MARK: Missing members

    @Test("A missing member is named") func missingMemberIsNamed() throws {
        let reader = try reader(Self.json)
        for (path, place) in [(["nothing"], #""nothing""#), (["none"], #""none""#)] {
            let error = thrownError { try reader.custom(path[0], as: String.self) }
            #expect(error?.code == .missingValue)
            #expect(error?.reason.contains(place) == true)
        }
        let deep = thrownError { try reader.custom("order", "nothing", "deeper", as: String.self) }
        #expect(deep?.code == .missingValue)
        #expect(deep?.reason.contains(#""order.nothing.deeper""#) == true)
    }

    @Test("A missing optional member is nil") func missingOptionalMemberIsNil() throws {
        let reader = try reader(Self.json)
        #expect(try reader.customIfPresent("nothing", as: String.self) == nil)
        #expect(try reader.customIfPresent("none", as: String.self) == nil)
        #expect(try reader.customIfPresent("order", "note", as: String.self) == nil)
        #expect(try reader.customIfPresent("order", "nothing", "deeper", as: String.self) == nil)
        #expect(try reader.customIfPresent("none", "deeper", as: String.self) == nil)
        #expect(try reader.customIfPresent("order", "id", as: Int.self) == 42)
    }

    @Test("A member of another type isn't missing") func memberOfAnotherTypeIsntMissing() throws {
        let reader = try reader(Self.json)
        let error = thrownError { try reader.customIfPresent("order", "id", as: String.self) }
        #expect(error?.code == .typeMismatch)
        #expect(error?.reason.contains(#""order.id""#) == true)
        #expect(
            thrownError { try reader.customIfPresent("order", as: Int.self) }?.code == .typeMismatch
        )
        #expect(thrownError { try reader.custom("big", as: Int.self) }?.code == .typeMismatch)
        #expect(thrownError { try reader.custom("price", as: Int.self) }?.code == .typeMismatch)
    }

    @Test("Only dictionaries have members", arguments: ["big", "flag", "list", "date"])
    func onlyDictionariesHaveMembers(name: String) throws {
        let reader = try reader(Self.json)
        for error in [
            thrownError { try reader.custom(name, "k", as: String.self) },
            thrownError { try reader.customIfPresent(name, "k", as: String.self) },
        ] {
            #expect(error?.code == .typeMismatch)
            #expect(error?.reason == "\"\(name)\" isn't a dictionary. Check the path.")
        }
    }

    // MARK: Decoders

    @Test("The caller's decoder is used") func callersDecoderIsUsed() throws {
        struct Dated: Decodable {
            let date: Date
            let orderId: Int
        }
        let reader = try reader(Self.json)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        #expect(
            try reader.custom("date", as: Date.self, using: decoder).timeIntervalSince1970
                == 1_767_225_600)
        #expect(try reader.customIfPresent("date", as: Date.self, using: decoder) != nil)
        #expect(thrownError { try reader.custom("date", as: Date.self) }?.code == .typeMismatch)
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(try reader.custom(as: Dated.self, using: decoder).orderId == 7)
    }

    @Test("The decoder's strategies also apply to JSON in a string")
    func decodersStrategiesAlsoApplyToJSONInAString()
        throws
    {
        struct Event: Decodable { let startsAt: Date }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let reader = try reader(#"{"event":"{\"starts_at\":60}"}"#)
        #expect(
            try reader.custom("event", as: Event.self, using: decoder).startsAt
                == Date(timeIntervalSince1970: 60))
    }
}
