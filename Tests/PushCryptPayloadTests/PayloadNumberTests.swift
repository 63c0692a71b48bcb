import Foundation
import PushCryptCore
import PushCryptPayload
import TestSupport
import Testing

/// Tests of the numbers in custom members and in properties.
@Suite struct PayloadNumberTests {
    @Test(
        "A number in a custom member keeps its digits",
        arguments: [
            ("0", JSONValue.number(JSONNumber(0)), "0"), ("-7", .number(JSONNumber(-7)), "-7"),
            ("9007199254740993", .number(JSONNumber(9_007_199_254_740_993)), "9007199254740993"),
            ("9223372036854775807", .number(JSONNumber(Int64.max)), "9223372036854775807"),
            ("-9223372036854775808", .number(JSONNumber(Int64.min)), "-9223372036854775808"),
            ("9223372036854775808", .number(JSONNumber(UInt64(1) << 63)), "9223372036854775808"),
            (
                "12345678901234567890", .number(JSONNumber(UInt64(12_345_678_901_234_567_890))),
                "12345678901234567890"
            ),
            ("18446744073709551615", .number(JSONNumber(UInt64.max)), "18446744073709551615"),
            ("1.10", .number(JSONNumber(1.1)), "1.10"), ("0.1", .number(JSONNumber(0.1)), "0.1"),
            ("-2.5", .number(JSONNumber(-2.5)), "-2.5"),
            ("1e2", .number(JSONNumber(100)), "1e2"), ("1.0", .number(JSONNumber(1)), "1.0"),
            ("25E-1", .number(JSONNumber(2.5)), "25E-1"),
            ("2.5e-300", .number(JSONNumber(2.5e-300)), "2.5e-300"),
            ("1e300", .number(JSONNumber(1e300)), "1e300"),
            (
                "123456789012345678901234567890",
                .number(JSONNumber("123456789012345678901234567890") ?? JSONNumber(0)),
                "123456789012345678901234567890"
            ),
            (
                "-18446744073709551616",
                .number(JSONNumber("-18446744073709551616") ?? JSONNumber(0)),
                "-18446744073709551616"
            ),
            (
                "0.12345678901234567890123456789",
                .number(JSONNumber("0.12345678901234567890123456789") ?? JSONNumber(0)),
                "0.12345678901234567890123456789"
            ),
        ])
    func aNumberInACustomMemberKeepsItsDigits(text: String, value: JSONValue, written: String)
        throws
    {
        let json = Array(#"{"k":{"n":[\#(text)]}}"#.utf8)
        let payload = try Payload(parsing: json)
        #expect(payload.custom == ["k": ["n": [value]]])
        #expect(
            String(decoding: try payload.json(), as: UTF8.self) == #"{"k":{"n":[\#(written)]}}"#)
        #expect(try Payload(parsing: payload.json()) == payload)
        #expect(
            try JSONDecoder().decode(Payload.self, from: JSONEncoder().encode(payload)) == payload)
        // A content state and an unknown key keep it, too.
        let state = try Payload(
            parsing: Array(#"{"aps":{"content-state":{"n":\#(text)},"new":\#(text)}}"#.utf8))
        #expect(state.aps?.contentState == ["n": value] && state.aps?.other == ["new": value])
        #expect(
            String(decoding: try state.json(), as: UTF8.self)
                == #"{"aps":{"content-state":{"n":\#(written)},"new":\#(written)}}"#)
    }

    @Test(
        "An integer can be written in any way",
        arguments: [
            ("0", 0, "0"), ("3", 3, "3"), ("3.0", 3, "3"), ("1e2", 100, "100"), ("-1", -1, "-1"),
        ])
    func anIntegerCanBeWrittenInAnyWay(text: String, value: Int, written: String) throws {
        let payload = try Payload(
            parsing: Array(#"{"aps":{"badge":\#(text),"content-available":\#(text)}}"#.utf8))
        #expect(payload.aps?.badge == value && payload.aps?.contentAvailable == value)
        #expect(
            String(decoding: try payload.json(), as: UTF8.self)
                == #"{"aps":{"badge":\#(written),"content-available":\#(written)}}"#)
    }

    @Test(
        "A badge that is not an integer is rejected",
        arguments: [
            "1.5", "12345678901234567890", "1e30", "123456789012345678901234567890",
            "-9223372036854775809",
        ])
    func aBadgeThatIsNotAnIntegerIsRejected(text: String) {
        #expect(
            errorCode { try Payload(parsing: Array(#"{"aps":{"badge":\#(text)}}"#.utf8)) }
                == .typeMismatch)
    }

    @Test(
        "A number under one of Apple's keys is a Double",
        arguments: [
            ("0", 0, "0"), ("1", 1, "1"), ("1.0", 1, "1"), ("0.25", 0.25, "0.25"),
            ("0.1", 0.1, "0.1"),
            ("1685952000", 1_685_952_000, "1685952000"),
            ("1685952000.25", 1_685_952_000.25, "1685952000.25"),
            ("-1.50e1", -15, "-15"), ("1e100", 1e100, "1e+100"),
        ] as [(String, Double, String)])
    func aNumberUnderOneOfAppleKeysIsADouble(text: String, value: Double, written: String) throws {
        let json = Array(
            #"{"aps":{"relevance-score":\#(text),"sound":{"volume":\#(text)},"timestamp":\#(text)}}"#
                .utf8)
        let payload = try Payload(parsing: json)
        #expect(payload.aps?.relevanceScore == value && payload.aps?.timestamp == value)
        #expect(
            String(decoding: try payload.json(), as: UTF8.self)
                == #"{"aps":{"relevance-score":\#(written),"sound":{"volume":\#(written)},"timestamp":\#(written)}}"#
        )
        #expect(try JSONValue(parsing: payload.json()) == JSONValue(parsing: json))
    }
}
