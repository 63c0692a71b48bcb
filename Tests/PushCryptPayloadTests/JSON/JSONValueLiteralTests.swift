import Foundation
import PushCryptPayload
import Testing

@Suite struct JSONValueLiteralTests {
    @Test("Literals are values") func literals() {
        let name = "x"
        let value: JSONValue = [
            "b": true, "i": -42, "d": 1.5, "s": "a", "n": .null, "a": [1, "y", [:], []],
            "interpolated": "\(name)y",
        ]
        #expect(
            value
                == .object([
                    "b": .bool(true), "i": .number(JSONNumber(-42)), "d": .number(JSONNumber(1.5)),
                    "s": .string("a"),
                    "n": .null,
                    "a": .array([.number(JSONNumber(1)), .string("y"), .object([:]), .array([])]),
                    "interpolated": .string("xy"),
                ]))
    }

    @Test("The last of two members with one name is kept") func duplicates() {
        #expect((["k": 1, "k": 2] as JSONValue) == .object(["k": .number(JSONNumber(2))]))
    }

    @Test("A literal encodes as its JSON") func encoding() throws {
        let value: JSONValue = ["a": [1, 2.5, false, .null], "s": "é/"]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(
            String(decoding: try encoder.encode(value), as: UTF8.self)
                == #"{"a":[1,2.5,false,null],"s":"é/"}"#)
    }

    @Test(
        "A number with more digits than a Double keeps them",
        arguments: [
            "123456789012345678901234567890", "-0.12345678901234567890123", "18446744073709551616",
            "99999999999999999999999999999999999999", "1234567890123456789.25",
        ])
    func longNumbers(text: String) throws {
        let value = try #require(JSONValue(parsing: Array(#"{"n":\#(text)}"#.utf8))["n"])
        #expect(value == .number(try #require(JSONNumber(text))))
        #expect(value.intValue == nil && value.stringValue == nil)
        #expect(value.doubleValue == Double(text))
        #expect(String(decoding: try JSONEncoder().encode(value), as: UTF8.self) == text)
    }

    @Test(
        "A number with the digits of a Double equals it",
        arguments: ["1.1", "0.30000000000000004", "1e300", "2.5e-7", "1234567.875"])
    func shortNumbers(text: String) throws {
        #expect(
            try JSONValue(parsing: Array(#"{"n":\#(text)}"#.utf8))["n"]
                == .number(JSONNumber(try #require(Double(text)))))
    }
}
