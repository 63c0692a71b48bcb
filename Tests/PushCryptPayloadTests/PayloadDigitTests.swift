import Foundation
import PushCryptPayload
import Testing

/// Tests of numbers with many digits.
@Suite struct PayloadDigitTests {
    @Test(
        "A fraction in a custom member keeps its digits",
        arguments: [
            "12345678901234567.89", "9007199254740992.5", "-123456789012345678.25",
            "1.00000000000000000001", "0.9999999999999999999999",
        ])
    func aFractionInACustomMemberKeepsItsDigits(text: String) throws {
        let payload = try Payload(parsing: Array(#"{"n":\#(text)}"#.utf8))
        #expect(payload.custom == ["n": .number(try #require(JSONNumber(text)))])
        #expect(String(decoding: try payload.json(), as: UTF8.self) == #"{"n":\#(text)}"#)
    }

    @Test(
        "A number under one of Apple's keys keeps its digits",
        arguments: [
            "1685952000.123456789", "9007199254740993", "12345678901234567890",
            "123456789012345678901234567890", "0.12345678901234567890123",
        ])
    func aNumberUnderOneOfAppleKeysKeepsItsDigits(text: String) throws {
        for key in ["timestamp", "stale-date", "dismissal-date", "relevance-score"] {
            let json = Array(#"{"aps":{"\#(key)":\#(text)}}"#.utf8)
            #expect(
                try JSONValue(parsing: Payload(parsing: json).json()) == JSONValue(parsing: json),
                "\(key)")
        }
        let json = Array(#"{"aps":{"sound":{"volume":\#(text)}}}"#.utf8)
        #expect(try JSONValue(parsing: Payload(parsing: json).json()) == JSONValue(parsing: json))
    }
}
