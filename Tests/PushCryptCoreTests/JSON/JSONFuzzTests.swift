import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptCore

@Suite struct JSONFuzzTests {
    // A change of one byte creates no number beyond Double, which JSONSerialization would refuse.
    static let documents = [
        #"{"aps":{"alert":{"title":"Grüße","body":"12,50 € 👋"},"badge":3,"sound":"default"},"n":[1,-2.5,1e3]}"#,
        #"{ "a" : [ true , false , null , { } , [ ] ] , "\u00e9\ud83d\ude00" : "\"\\\/\b\f\n\r\t" }"#,
        #"{"":{"":{"":[[["x"]]]}},"b":0,"c":-0.0e-1,"d":"plain text that is longer than one word"}"#,
    ].map { Array($0.utf8) }

    private func accepts(_ bytes: [UInt8]) -> Bool {
        problem(of: bytes) == nil
    }

    /// Checks that Foundation parses the text if the scanner accepts it.
    private func check(_ bytes: [UInt8], _ comment: @autoclosure () -> Comment) {
        guard accepts(bytes) else { return }
        let object = try? JSONSerialization.jsonObject(with: Data(bytes))
        #expect(object is [String: Any], comment())
        #expect(String(bytes: bytes, encoding: .utf8) != nil, comment())
    }

    @Test("A document is accepted, and no beginning of it", arguments: documents)
    func beginnings(_ document: [UInt8]) {
        #expect(accepts(document))
        for length in 0..<document.count {
            #expect(!accepts(Array(document[..<length])), "\(length) bytes")
        }
    }

    @Test("A document with one changed byte is refused or valid JSON", arguments: documents)
    func changedBytes(_ document: [UInt8]) {
        let step = LongRun.count(5, full: 1)
        for place in document.indices {
            for byte in stride(from: UInt8(place % step), through: .max, by: step) {
                var changed = document
                changed[place] = byte
                check(changed, "\(byte) at \(place)")
            }
        }
    }

    @Test("A document without one byte is refused or valid JSON", arguments: documents)
    func removedBytes(_ document: [UInt8]) {
        for place in document.indices {
            var changed = document
            changed.remove(at: place)
            check(changed, "without byte \(place)")
        }
    }

    @Test("Two documents in a row are refused") func pairs() {
        for one in Self.documents {
            for other in Self.documents { #expect(!accepts(one + other)) }
        }
    }

    @Test("Random tokens are refused or valid JSON") func randomTokens() {
        let tokens = [
            "{", "}", "[", "]", ",", ":", #""a""#, #""b""#, #""\u0061""#, "1", "-0", "1.5", "true",
            "false", "null", " ",
            #""\ud800""#, "\u{FEFF}", "\"", "\\",
        ].map { Array($0.utf8) }
        var random = SeededRandom(seed: 0x5EED)
        var accepted = 0
        for _ in 0..<LongRun.count(2_000, full: 20_000) {
            var text = Array("{".utf8)
            for _ in 0..<Int.random(in: 0...10, using: &random) {
                text += tokens[Int(random.next() % 20)]
            }
            text += Array("}".utf8)
            if accepts(text) { accepted += 1 }
            check(text, "\(text)")
        }
        #expect(accepted > LongRun.count(2, full: 20), "Some texts are accepted.")
    }

    @Test("Random bytes are refused or valid JSON") func randomBytes() {
        var random = SeededRandom(seed: 0xB17E5)
        for length in 0..<300 {
            check(random.bytes(length), "random")
            check(Array("{\"".utf8) + random.bytes(length) + Array("\":0}".utf8), "random name")
        }
    }
}
