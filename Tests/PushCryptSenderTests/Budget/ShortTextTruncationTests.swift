import Testing

@testable import PushCryptSender

/// A text that is shorter than the ellipsis, but for the way it is spelt.
@Suite struct ShortTextTruncationTests {
    @Test(arguments: [
        (#"\u0061"#, "a"), (#"\u0061\u0062"#, "ab"), (#"\u0061bc"#, "abc"), (#"\u00e9"#, "é"), (#"\/\/"#, "//"),
    ])
    func nothingIsCutWhereAnEllipsisWouldBeNoShorter(spelling: String, text: String) throws {
        let original = try OriginalPayload(Array(#"{"aps":{"alert":"\#(spelling)"}}"#.utf8))
        // However little room there is: one text may be spent while another can still be cut.
        for limit in 0..<original.bytes.count {
            let truncation = try Truncator(original, to: limit, cutting: [.body])
            let left = String(decoding: truncation.json, as: UTF8.self)
            #expect(left == #"{"aps":{"alert":"\#(text)"}}"# && truncation.cuts.isEmpty, "\(limit): \(left)")
        }
    }
}
