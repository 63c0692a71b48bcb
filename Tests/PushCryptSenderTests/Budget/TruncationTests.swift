import Foundation
import TestSupport
import Testing

@testable import PushCryptSender

/// Tests of the truncation of one text at every limit.
@Suite struct TruncationTests {
    /// The bytes around the text, for an alert that is a string and for a dictionary.
    static let frames: [(before: String, after: String)] = [
        (#"{"aps":{"alert":"#, #"}}"#),
        (
            #"{"k":"\u0061\/","aps":{"\u0061lert":{"title":"","bod\u0079":"#,
            #","loc-args":["body"]},"n":1.10},"body":"é"}"#
        ),
    ]

    private func original(_ spelling: [UInt8], _ frame: (before: String, after: String)) throws
        -> OriginalPayload
    {
        try OriginalPayload(frame.before.utf8 + spelling + frame.after.utf8)
    }

    /// Compares a truncated text with the first form that fits, for limits from a length to that of
    /// the text.
    private func compare(_ text: TruncationText, spelt spelling: [UInt8], fromRoom least: Int)
        throws
    {
        let forms = try text.forms()
        for frame in Self.frames {
            let original = try original(spelling, frame)
            let around = original.bytes.count - spelling.count
            let step = LongRun.isRequested ? 1 : 3
            for limit in stride(from: around + least, through: original.bytes.count, by: step) {
                let truncator = try Truncator(original, to: limit, fields: [.body])
                var expected: (spelling: [UInt8], kept: Int) = (spelling, text.characters.count)
                if limit < original.bytes.count {
                    let shortest = forms.min { $0.spelling.count < $1.spelling.count } ?? expected
                    expected = forms.first { around + $0.spelling.count <= limit } ?? shortest
                }
                let result = truncator.original.bytes
                #expect(
                    result == frame.before.utf8 + expected.spelling + frame.after.utf8,
                    "\(limit): \(String(decoding: result, as: UTF8.self))")
                _ = try JSONDocument(scanning: result.span)
                let removed = text.characters.count - expected.kept
                let cut = Truncation(
                    field: .body, keptCharacters: expected.kept, removedCharacters: removed)
                #expect(truncator.truncations == (removed > 0 ? [cut] : []), "\(limit)")
            }
        }
    }

    @Test("Swift divides the texts as the vectors do")
    func swiftDividesTheTextsAsTheVectorsDo() throws {
        for text in try TruncationText.all() {
            #expect(
                text.text.map { Array($0.unicodeScalars) }
                    == text.characters.map { Array($0.unicodeScalars) },
                "\(text.name)")
        }
    }

    @Test("Every limit keeps as much text as fits", arguments: try TruncationText.all())
    func everyLimitKeepsAsMuchTextAsFits(text: TruncationText) throws {
        let spelling = try shortestSpelling(of: text.text)
        let shorterThanEllipsis = spelling.count <= 5
        for frame in Self.frames where shorterThanEllipsis {
            // The ellipsis isn't shorter than the text.
            let original = try original(spelling, frame)
            for limit in 0..<original.bytes.count {
                let truncator = try Truncator(original, to: limit, fields: [.body])
                #expect(
                    truncator.original.bytes == original.bytes && truncator.truncations.isEmpty,
                    "\(limit)")
            }
        }
        // The bytes around the text may be too long alone, so the limits begin below 0.
        if !shorterThanEllipsis { try compare(text, spelt: spelling, fromRoom: -20) }
    }

    @Test(
        "Needless escapes are removed before any character",
        arguments: LongRun.cases(try TruncationText.all(), usually: 20))
    func needlessEscapesAreRemovedBeforeAnyCharacter(text: TruncationText) throws {
        let spelling = Array("\"\(text.escaped)\"".utf8)
        let shortest = try shortestSpelling(of: text.text).count
        try compare(text, spelt: spelling, fromRoom: min(shortest, 5))
        if shortest > 5 { try compare(text, spelt: spelling, fromRoom: -20) }
    }

    @Test("A payload that fits keeps its escapes") func aPayloadThatFitsKeepsItsEscapes() throws {
        let original = try OriginalPayload(Array(#"{"aps":{"alert":"\u0061\/\u00e9"}}"#.utf8))
        let truncator = try Truncator(
            original, to: original.bytes.count, fields: AlertField.allCases)
        #expect(truncator.original.bytes == original.bytes)
    }

    @Test("A text that fits without its escapes is not truncated")
    func aTextThatFitsWithoutItsEscapesIsNotTruncated()
        throws
    {
        let original = try OriginalPayload(Array(#"{"aps":{"alert":"\u0061\/b"}}"#.utf8))
        for saved in 1...6 {
            let truncator = try Truncator(
                original, to: original.bytes.count - saved, fields: [.body])
            #expect(
                String(decoding: truncator.original.bytes, as: UTF8.self)
                    == #"{"aps":{"alert":"a/b"}}"#)
            #expect(truncator.truncations.isEmpty)
        }
    }
}
