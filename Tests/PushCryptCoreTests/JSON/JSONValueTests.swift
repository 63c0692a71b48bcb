import Foundation
import PushCryptCore
import PushCryptPayload
import TestSupport
import Testing

@Suite struct JSONValueTests {
    @Test func readsEveryKind() throws {
        let json =
            #"{"z":null,"t":true,"f":false,"i":-7,"u":18446744073709551615,"d":1.5,"s":"x","a":[1,"y"],"o":{"k":0}}"#
        let value = try JSONValue(parsing: Array(json.utf8))
        #expect(
            value
                == .object([
                    "z": .null, "t": .bool(true), "f": .bool(false), "i": .integer(-7), "u": .unsignedInteger(.max),
                    "d": .number(1.5), "s": .string("x"), "a": .array([.integer(1), .string("y")]),
                    "o": .object(["k": .integer(0)]),
                ]))
        let data = try JSONEncoder().encode(value)
        #expect(try JSONDecoder().decode(JSONValue.self, from: data) == value)
    }

    @Test func givesWhatIsAskedForOrNothing() throws {
        let value = try JSONValue(parsing: Array(#"{"s":"x","i":3,"d":1.5,"u":18446744073709551615,"b":true}"#.utf8))
        #expect(value["s"]?.stringValue == "x" && value["s"]?.doubleValue == nil && value["s"]?.intValue == nil)
        #expect(value["i"]?.intValue == 3 && value["i"]?.doubleValue == 3 && value["i"]?.stringValue == nil)
        #expect(value["d"]?.doubleValue == 1.5 && value["d"]?.intValue == nil)
        #expect(value["u"]?.intValue == nil && value["u"]?.doubleValue == 0x1p64)
        #expect(value["b"]?.intValue == nil && value["b"]?["x"] == nil)
        #expect(value["missing"] == nil && value.objectValue?.count == 5)
    }

    @Test(arguments: JSONVectors.all.refused)
    func refusesWhatTheScannerRefuses(_ vector: JSONVectors.Refused) {
        #expect(errorCode { try JSONValue(parsing: vector.bytes) } == .malformedJSON)
    }

    @Test func aNumberBeyondDoubleIsNeverAnotherNumber() {
        do throws(PushCryptError) {
            #expect(try JSONValue(parsing: Array(#"{"secret":[1e400]}"#.utf8)) == .object(["secret": .array([.null])]))
        } catch {
            #expect(error.code == .malformedJSON)
            #expect(!error.description.contains("secret") && !error.description.contains("400"))
        }
    }

    @Test func ofNamesThatDifferInNormalizationOnlyOneIsKept() throws {
        // U+00E9, and "e" with U+0301: RFC 8259 compares code units, and so does the scanner; Swift's dictionaries compare
        // characters. The payload's bytes have both, this reading of it has one.
        let value = try JSONValue(parsing: Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8))
        #expect(value.objectValue?.count == 1)
    }
}
