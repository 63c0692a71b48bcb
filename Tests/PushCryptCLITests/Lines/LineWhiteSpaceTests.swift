import Foundation
import PushCryptCore
import PushCryptReceiver
import PushCryptSender
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptCLI

/// White space between tokens, which the writer of a line or of a payload chooses.
struct LineWhiteSpaceTests {
    private static let separators = [" ", "\t", "\r", "\n", "\r\n", " \n\t "]

    /// Returns JSON with a separator between all tokens.
    private static func spread(_ json: String, with separator: String) -> String {
        let tokens = json.matches(of: /"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+/).map {
            String($0.output)
        }
        return tokens.joined(separator: separator)
    }

    private static func text(_ object: JSONObjectText) -> String {
        String(decoding: object.object, as: UTF8.self)
    }

    private static func text(_ answer: LineAnswer) -> String {
        String(decoding: answer.bytes, as: UTF8.self)
    }

    private static func members(_ text: String) throws -> LineMembers {
        try LineMembers(scanning: .bytes(Array(text.utf8)), number: 1)
    }

    private static let line =
        #"{"id":1.10,"z":[1,{"a\\":"\" \t ,\u2028"},[],{}],"n":null,"s":"a  b \\","error":{"code":"x"}}"#

    @Test(
        "White space of members becomes one space, and strings keep theirs", arguments: separators)
    func whiteSpaceOfMembers(separator: String) throws {
        let members = try Self.members(Self.spread(Self.line, with: separator))
        let answer = Self.text(members.kept(without: []))
        let plain = try Self.members(Self.spread(Self.line, with: " "))
        #expect(answer == Self.text(plain.kept(without: [])))
        #expect(!answer.utf8.contains { $0 < 0x20 } && answer.hasSuffix("}"))
        #expect(
            answer.contains(#""a\\" : "\" \t ,\u2028""#) && answer.contains(#""s" : "a  b \\""#))
        #expect(
            try JSONValue(parsing: Array(answer.utf8)) == JSONValue(parsing: Array(Self.line.utf8)))
        // The next filter repeats a refused line in the same way.
        let refusal = try #require(members.earlierRefusal)
        #expect(Self.text(refusal) == answer)
    }

    @Test("An opened payload has no white space between tokens", arguments: separators)
    func whiteSpaceOfPayloads(separator: String) throws {
        let payload =
            #"{"aps":{"alert":"x  y\n"},"z":[{"id":3,"payload":{"aps":{"alert":"forged row"}}}]}"#
        let message = RawMessage(
            issuedAt: Date().millisecondsSince1970,
            payload: Array(Self.spread(payload, with: separator).utf8))
        let envelope = Base64URL.encode(message.envelope())
        let work = LineOpening(
            opener: Opener(keys: InMemoryKeyStore([try TestKeys.device()]), senderPolicy: .anyone),
            type: .alert)
        let line = #"{"id":1,"payload":{"aps":{},"ENCRYPTED_DATA":"\#(envelope)"},"z":2}"#
        let answer = Self.text(try work.answer(Self.members(line)))
        #expect(answer == #"{"id":1,"payload":\#(payload),"z":2}"#)
    }

    @Test("A line separator of Unicode between tokens is an error, and its line is not repeated")
    func lineSeparators() {
        struct NoWork: LineWork {
            let hiddenMembers: [String] = []
            func answer(_ line: LineMembers) -> LineAnswer {
                LineAnswer(.accepted, line.kept(without: []))
            }
        }
        var work = NoWork()
        for separator in ["\u{2028}", "\u{2029}", "\u{85}", "\u{B}", "\u{C}", "\u{A0}"] {
            let line = Line.bytes(Array(Self.spread(Self.line, with: separator).utf8))
            let answer = Self.text(work.answer(line, number: 4))
            #expect(answer.hasPrefix(#"{"line":4,"error":{"code":"malformed-json","#), "\(answer)")
        }
    }
}
