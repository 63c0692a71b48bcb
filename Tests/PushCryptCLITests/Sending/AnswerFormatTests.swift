import Foundation
import PushCryptSender
import Testing

@testable import PushCryptCLI

struct AnswerFormatTests {
    private static let id = "11111111-2222-4333-8444-555555555555"
    private static let sealed =
        #"{"id":1,"token":"00fc","payload":{"a":[1, 2]},"headers":{"apns-topic":"a.b","apns-id":"\#(id)"},"line":7,"z":2}"#

    private static func push(_ text: String = sealed, number: Int = 3, retries: Bool = false) throws
        -> OpenPush
    {
        let reader = PushReader(.none, AnswerFormat(), retries: retries)
        let reading = try reader.read(.bytes(Array(text.utf8)), number: number)
        guard case .push(let push) = reading else {
            throw PushCryptError(.malformedJSON, "\(reading)")
        }
        return push
    }

    private static func text(_ answer: LineAnswer?) -> String {
        String(decoding: answer?.bytes ?? [], as: UTF8.self)
    }

    @Test("An accepted push has its status and its ID, and a number if asked for") func accepted()
        throws
    {
        let push = try Self.push()
        let answer = AnswerFormat().accepted(push, mayArriveTwice: false)
        #expect(answer.kind == .accepted)
        #expect(
            Self.text(answer)
                == #"{"id":1,"token":"00fc","z":2,"status":200,"apns-id":"\#(Self.id)"}"#)
        let numbered = AnswerFormat(hasNumbers: true, hidesToken: true).accepted(
            push, mayArriveTwice: true)
        #expect(
            Self.text(numbered)
                == #"{"id":1,"z":2,"line":3,"status":200,"apns-id":"\#(Self.id)","may-arrive-twice":true}"#
        )
    }

    @Test("A refused push loses its payload, and an unsent one keeps it") func failed() throws {
        let push = try Self.push()
        let refused = AnswerFormat().failed(push, .unregistered)
        #expect(refused.kind == .refused)
        #expect(
            Self.text(refused)
                == #"{"id":1,"token":"00fc","z":2,"line":3,"status":410,"apns-id":"\#(Self.id)","#
                + #""error":{"code":"unregistered","reason":"The reason for unregistered.","advice":"delete the token","#
                + #""timestamp":1500}}"#)
        let unsent = AnswerFormat().failed(push, .busy)
        #expect(unsent.kind == .unsent)
        #expect(
            Self.text(unsent)
                == #"{"id":1,"token":"00fc","payload":{"a":[1, 2]},"headers":{"apns-topic":"a.b","#
                + #""apns-id":"\#(Self.id)"},"z":2,"line":3,"status":429,"apns-id":"\#(Self.id)","#
                + #""error":{"code":"too-many-requests","reason":"The reason for too-many-requests.","advice":"retry","#
                + #""retry-after":120}}"#)
        #expect(AnswerFormat().failed(push, .wrongTopic).kind == .unsent)
        let lost = Self.text(AnswerFormat().failed(push, .noAnswer))
        #expect(lost.hasSuffix(#""advice":"retry","may-be-accepted":true}}"#))
        let single = Self.text(AnswerFormat(hidesToken: true).failed(push, .busy))
        #expect(!single.contains("00fc") && !single.contains("payload"))
    }

    @Test("An earlier loss is told with every later answer") func anEarlierLoss() throws {
        var push = try Self.push()
        push.mayBeAccepted = true
        #expect(
            Self.text(AnswerFormat().accepted(push, mayArriveTwice: false)).hasSuffix(
                #""may-arrive-twice":true}"#))
        #expect(
            Self.text(AnswerFormat().failed(push, .unregistered)).contains(
                #""may-be-accepted":true"#))
    }

    @Test("A line that isn't valid has its error and no content") func refused() throws {
        func answer(_ text: String, _ format: AnswerFormat = AnswerFormat()) throws -> LineAnswer {
            let reader = PushReader(.none, format)
            let reading = try reader.read(.bytes(Array(text.utf8)), number: 4)
            guard case .answer(let answer) = reading else {
                throw PushCryptError(.malformedJSON, "\(reading)")
            }
            return answer
        }
        let invalid = try answer(#"{"id":1,"payload":{"secret":1},"headers":{"apns-topic":"a.b"}}"#)
        #expect(
            Self.text(invalid)
                == #"{"id":1,"line":4,"error":{"code":"missing-value","reason":"The member \"token\" is "#
                + #"missing. Add it.","advice":"fix the request"}}"#)
        #expect(
            try Self.text(answer("[")).hasPrefix(#"{"line":4,"error":{"code":"malformed-json""#))
        #expect(try Self.text(answer(#"{"token":"00","payload":{}}"#)).contains("'--topic'"))
        let earlier = #"{"id":1,"line":2,"error":{"code":"invalid-key","reason":"r"}}"#
        #expect(try Self.text(answer(earlier)) == earlier)
        #expect(
            try Self.text(answer(earlier, AnswerFormat(hasNumbers: true)))
                == #"{"id":1,"error":{"code":"invalid-key","reason":"r"},"line":4}"#)
        let key = #"{"error":1,"kty":"OKP","d":"SECRET"}"#
        #expect(try !Self.text(answer(key)).contains("SECRET"))
    }

    @Test(
        "Each push has an ID: that of its headers, or else of its earlier answer, or else a random one"
    )
    func identifiers() throws {
        #expect(try Self.push().id.uuidString.lowercased() == Self.id)
        let other = "99999999-2222-4333-8444-555555555555"
        let unsent =
            #"{"token":"00","payload":{},"headers":{"apns-topic":"a.b"},"line":5,"apns-id":"\#(other)","#
        let retried = try Self.push(
            unsent + #""error":{"code":"no-answer","advice":"retry","may-be-accepted":true}}"#,
            retries: true)
        #expect(
            retried.id.uuidString.lowercased() == other && retried.mayBeAccepted
                && retried.reference == 5)
        #expect(
            Self.text(AnswerFormat().accepted(retried, mayArriveTwice: false)).contains(
                #""line":5,"status""#))
        #expect(try !Self.push(unsent + #""error":{"code":"busy"}}"#, retries: true).mayBeAccepted)
        // Without an error, the member is the caller's own.
        let plain =
            #"{"token":"00","payload":{},"headers":{"apns-topic":"a.b"},"apns-id":"\#(other)"}"#
        #expect(try Self.push(plain).id != Self.push(plain).id)
    }

    @Test("Answers of an earlier output are repeated, and other lines are an error")
    func earlierOutput() throws {
        let reader = PushReader(.none, AnswerFormat(), retries: true)
        func read(_ text: String) throws -> PushReader.Reading {
            try reader.read(.bytes(Array(text.utf8)), number: 2)
        }
        for (line, kind) in [
            (#"{"id": 1,"status":200,"apns-id":"x"}"#, LineAnswer.Kind.accepted),
            (#"{"line":2,"status":410,"error":{"code":"unregistered"}}"#, .refused),
            (#"{"line":2,"error":{"code":"malformed-json"}}"#, .refused),
        ] {
            guard case .answer(let answer) = try read(line) else {
                return #expect(Bool(false), "\(line)")
            }
            #expect(Self.text(answer) == line && answer.kind == kind)
        }
        for line in [Self.sealed, "{}", "[", "", #"{"status":200,"payload":{}}"#] {
            #expect(throws: PushCryptError(.fileExists, ""), "\(line)") { _ = try read(line) }
        }
    }
}
