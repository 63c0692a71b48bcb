import Testing

@testable import PushCryptSender

/// Tests of texts that are shorter than the ellipsis without their escapes.
@Suite struct ShortTextTruncationTests {
    @Test(
        "A text is not truncated if an ellipsis would not be shorter",
        arguments: [
            (#"\u0061"#, "a"), (#"\u0061\u0062"#, "ab"), (#"\u0061bc"#, "abc"), (#"\u00e9"#, "é"),
            (#"\/\/"#, "//"),
        ])
    func aTextIsNotTruncatedIfAnEllipsisWouldNotBeShorter(spelling: String, text: String) throws {
        let original = try OriginalPayload(Array(#"{"aps":{"alert":"\#(spelling)"}}"#.utf8))
        // The limit may be 0, because other texts may have room for truncation.
        for limit in 0..<original.bytes.count {
            let truncator = try Truncator(original, to: limit, fields: [.body])
            let left = String(decoding: truncator.original.bytes, as: UTF8.self)
            #expect(
                left == #"{"aps":{"alert":"\#(text)"}}"# && truncator.truncations.isEmpty,
                "\(limit): \(left)")
        }
    }
}
