import Foundation
import PushCryptCore
import Testing

@Suite struct JSONTextTests {
    private func decoded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        return String(decoding: JSONText.decoded(bytes.span, 0..<bytes.count), as: UTF8.self)
    }

    private func written(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONText.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "Escapes are decoded",
        arguments: [
            (#"plain"#, "plain"), (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"),
            (#"\u0041\u00e9\u20AC"#, "Aé€"),
            (#"\ud83d\ude00!"#, "😀!"), (#"\uD800\uDC00\uDBFF\uDFFF"#, "\u{10000}\u{10FFFF}"),
            (#"\u0000"#, "\0"),
            (#"\\u0041"#, #"\u0041"#), (#"é\u00e9"#, "éé"), ("", ""),
            (#"\uFFFF\ud7ff\uE000"#, "\u{FFFF}\u{D7FF}\u{E000}"),
        ])
    func escapes(_ text: String, _ expected: String) {
        #expect(decoded(text) == expected)
    }

    @Test(
        "Only required escapes are written",
        arguments: [
            ("a/b", #""a/b""#), ("Grüße 👋", #""Grüße 👋""#), ("\"\\", #""\"\\""#),
            ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
            ("\0\u{1}\u{F}\u{10}\u{1F}\u{7F}", "\"\\u0000\\u0001\\u000f\\u0010\\u001f\u{7F}\""),
            ("", #""""#),
            ("\u{2028}\u{FEFF}", "\"\u{2028}\u{FEFF}\""),
        ])
    func requiredEscapes(_ text: String, _ expected: String) {
        #expect(written(text) == expected)
    }

    @Test("Every Unicode scalar survives encoding and decoding") func scalars() throws {
        var scalars =
            [UInt32](0..<0x800) + [
                0xD7FF, 0xE000, 0xFEFF, 0xFFFE, 0xFFFF, 0x10000, 0x1F44B, 0x10FFFF,
            ]
        scalars += stride(from: 0x801, to: 0x10FFFF, by: 997)
        for scalar in scalars.compactMap(Unicode.Scalar.init) {
            let text = "a\(Character(scalar))b"
            let json = written(text)
            #expect(Array(decoded(String(json.dropFirst().dropLast())).utf8) == Array(text.utf8))
            let object = Array(#"{"k":\#(json)}"#.utf8)
            _ = try JSONDocument(scanning: object.span)
            #expect(
                try JSONDecoder().decode([String: String].self, from: Data(object)) == ["k": text])
        }
    }
}
