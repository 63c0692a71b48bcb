import Foundation
import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

/// The behavior of Foundation's JSON readers and writers, because of which this package scans JSON
/// first.
@Suite struct FoundationJSONFactTests {
    private struct Number: Decodable { let a: Int }

    private func decoded(_ json: Data) -> Int? {
        try? JSONDecoder().decode(Number.self, from: json).a
    }

    private func serialized(_ json: Data) -> Int? {
        ((try? JSONSerialization.jsonObject(with: json)) as? [String: Any])?["a"] as? Int
    }

    private func scannerRefuses(_ json: Data) -> Bool {
        let bytes = Array(json)
        return errorCode { try JSONDocument(scanning: bytes.span) } == .malformedJSON
    }

    @Test("Foundation's readers disagree about duplicate members")
    func readersDisagreeOnDuplicates() {
        let json = Data(#"{"a":1,"a":2}"#.utf8)
        #expect(decoded(json) == 1)
        #expect(serialized(json) == 2)
        #expect(scannerRefuses(json))
    }

    @Test(
        "Foundation's readers accept text that is not JSON",
        arguments: [
            Data(#"{"a":1,}"#.utf8), Data(#"{"a":1,"b":[1,]}"#.utf8),
            Data("\u{FEFF}{\"a\":1}".utf8),
            #"{"a":1}"#.data(using: .utf16LittleEndian) ?? Data(),
            #"{"a":1}"#.data(using: .utf16BigEndian) ?? Data(),
            #"{"a":1}"#.data(using: .utf16) ?? Data(),
        ])
    func bothAcceptWhatIsNotJSONBetweenSystems(_ json: Data) {
        #expect(decoded(json) == 1)
        #expect(serialized(json) == 1)
        #expect(scannerRefuses(json))
    }

    @Test(
        "Foundation's decoder ignores invalid values that it does not decode",
        arguments: [#""\ud800""#, #""\q""#, "01", "1.", "-", "\"\u{1}\""])
    func theDecoderDoesNotLookAtWhatItDoesNotDecode(_ value: String) {
        let json = Data(#"{"a":1,"b":\#(value)}"#.utf8)
        #expect(decoded(json) == 1)
        #expect(serialized(json) == nil)
        #expect(scannerRefuses(json))
    }

    @Test("Foundation's decoder ignores invalid UTF-8 that it does not decode")
    func theDecoderDoesNotLookAtUTF8EitherThere() {
        let json = Data(#"{"a":1,"b":""#.utf8) + [0xFF] + Data(#""}"#.utf8)
        #expect(decoded(json) == 1)
        #expect(scannerRefuses(json))
    }

    @Test("Foundation escapes the solidus and this package does not")
    func writersEscapeTheSolidusAndOursDoesNot()
        throws
    {
        #expect(
            String(decoding: try JSONEncoder().encode(["a": "x/y"]), as: UTF8.self)
                == #"{"a":"x\/y"}"#)
        let written = try JSONSerialization.data(withJSONObject: ["a": "x/y"])
        #expect(String(decoding: written, as: UTF8.self) == #"{"a":"x\/y"}"#)
        var own: [UInt8] = []
        JSONText.append("x/y", to: &own)
        #expect(own == Array(#""x/y""#.utf8))
    }

    @Test("Base64url contains no characters that Foundation escapes")
    func onlyBase64URLNeverGrowsByThat() throws {
        var random = SeededRandom(seed: 8)
        let bytes = random.bytes(1_125)
        let standard = Data(bytes).base64EncodedString()
        let growth = try JSONEncoder().encode(standard).count - standard.utf8.count - 2
        #expect((8...45).contains(growth), "About 23 of 1,500 characters are a solidus.")
        let own = Base64URL.encode(bytes)
        #expect(try JSONEncoder().encode(own).count == own.utf8.count + 2)
    }
}
