import Foundation
import PushCryptCore
import TestSupport
import Testing

@testable import PushCryptPayload

@Suite struct JSONValueTests {
    @Test("Every kind of value parses and encodes") func kinds() throws {
        let json =
            #"{"z":null,"t":true,"f":false,"i":-7,"u":18446744073709551615,"d":1.5,"s":"x","a":[1,"y"],"o":{"k":0}}"#
        let value = try JSONValue(parsing: Array(json.utf8))
        #expect(
            value
                == .object([
                    "z": .null, "t": .bool(true), "f": .bool(false), "i": .number(JSONNumber(-7)),
                    "u": .number(JSONNumber(UInt64.max)),
                    "d": .number(JSONNumber(1.5)), "s": .string("x"),
                    "a": .array([.number(JSONNumber(1)), .string("y")]),
                    "o": .object(["k": .number(JSONNumber(0))]),
                ]))
        let data = try JSONEncoder().encode(value)
        #expect(try JSONDecoder().decode(JSONValue.self, from: data) == value)
    }

    @Test("A property of another kind is nil") func properties() throws {
        let value = try JSONValue(
            parsing: Array(#"{"s":"x","i":3,"d":1.5,"u":18446744073709551615,"b":true}"#.utf8))
        #expect(
            value["s"]?.stringValue == "x" && value["s"]?.doubleValue == nil
                && value["s"]?.intValue == nil)
        #expect(
            value["i"]?.intValue == 3 && value["i"]?.doubleValue == 3
                && value["i"]?.stringValue == nil)
        #expect(value["d"]?.doubleValue == 1.5 && value["d"]?.intValue == nil)
        #expect(value["u"]?.intValue == nil && value["u"]?.doubleValue == 0x1p64)
        #expect(value["b"]?.intValue == nil && value["b"]?["x"] == nil)
        #expect(value["missing"] == nil && value.objectValue?.count == 5)
    }

    @Test("Invalid JSON is refused", arguments: try JSONVectors.load().refused)
    func refusesInvalidJSON(_ vector: JSONVectors.Refused) {
        #expect(errorCode { try JSONValue(parsing: vector.bytes) } == .malformedJSON)
    }

    @Test(
        "A number beyond Double keeps its text",
        arguments: ["1e400", "-1E+4000", "1e-400", "1e99999999999999999999"])
    func numbersBeyondDouble(text: String) throws {
        let json = #"{"n":[\#(text)]}"#
        let value = try JSONValue(parsing: json)
        #expect(value == ["n": [.number(try #require(JSONNumber(text)))]])
        #expect(try value.json() == Array(json.utf8))
    }

    @Test("Names that differ in Unicode normalization only are refused") func normalization() throws
    {
        let json = "{\"\u{E9}\":1,\"e\u{301}\":2}"
        let error = try #require(thrownError { try JSONValue(parsing: json) })
        #expect(error.code == .malformedJSON && error.reason.contains("At byte 8,"))
        #expect(try JSONValue(forDisplay: Array(json.utf8)).objectValue?.count == 1)
    }

    @Test("Every form of a text parses to the same value") func forms() throws {
        let text = #"{"a":[1,"é"]}"#
        let expected: JSONValue = ["a": [1, "é"]]
        #expect(try JSONValue(parsing: text) == expected)
        #expect(try JSONValue(parsing: text.dropFirst(0)) == expected)
        #expect(try JSONValue(parsing: text.utf8) == expected)
        #expect(try JSONValue(parsing: Data(text.utf8)) == expected)
        #expect(try JSONValue(parsing: Array(text.utf8)) == expected)
        #expect(try JSONValue(parsing: Array(text.utf8)[...]) == expected)
    }
}

@Suite struct JSONNumberTests {
    @Test(
        "Numbers are equal if their values are",
        arguments: [
            ("1", "1.0"), ("1.50", "15e-1"), ("0", "-0.0e7"), ("100", "1E+2"),
            ("-2.5e-3", "-0.0025"),
            ("1e400", "10e399"),
        ])
    func equality(one: String, other: String) throws {
        let (one, other) = (try #require(JSONNumber(one)), try #require(JSONNumber(other)))
        #expect(one == other && one.hashValue == other.hashValue)
    }

    @Test(
        "Numbers differ if their values do",
        arguments: [
            ("1", "-1"), ("1e400", "1e401"), ("0.1", "0.10000000000000000000001"),
            ("1e99999999999", "2"),
        ])
    func inequality(one: String, other: String) throws {
        #expect(try #require(JSONNumber(one)) != #require(JSONNumber(other)))
    }

    @Test(
        "Only JSON numbers parse",
        arguments: ["", " 1", "1 ", "01", "1.", ".5", "+1", "1e", "NaN", "1,2", "1],[2", "true"])
    func refusals(text: String) {
        #expect(JSONNumber(text) == nil)
    }

    @Test("Each type is exact or nil") func types() throws {
        #expect(
            JSONNumber("1e3")?.int == 1000 && JSONNumber("1.5")?.int == nil
                && JSONNumber("1e30")?.int == nil)
        #expect(JSONNumber("18446744073709551615")?.exactly(UInt64.self) == .max)
        #expect(JSONNumber("1e400")?.double == nil && JSONNumber("1e400")?.decimal == nil)
        #expect(JSONNumber("0.1")?.double == 0.1 && JSONNumber("0.10")?.decimal == Decimal(1) / 10)
        #expect(
            JSONNumber(1.0).text == "1" && JSONNumber(0.1).text == "0.1"
                && JSONNumber(UInt64.max).int == nil)
    }

    // Of "é+" and a decomposed "é", Swift's order has neither before the other.
    @Test("Members are in the order of their bytes, whatever their normalization")
    func orderOfMembers() throws {
        let names = ["e", "e\u{301}", "\u{E9}+", "\u{E9}a", "z"]
        for _ in 0..<100 {
            let members = Dictionary(
                uniqueKeysWithValues: names.shuffled().map { ($0, JSONValue.null) })
            let expected = ["e", "e\u{301}", "z", "\u{E9}+", "\u{E9}a"]
                .map { "\"\($0)\":null" }.joined(separator: ",")
            #expect(try JSONValue.object(members).json() == Array("{\(expected)}".utf8))
        }
    }
}
