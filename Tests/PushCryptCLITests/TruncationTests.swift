import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// A text that is too long is shortened on request, with a warning.
@Suite(.toolThreads, .thorough) struct TruncationTests {
    private let tool: Tool

    init() throws {
        tool = try Tool()
        try tool.createDevice()
    }

    private func seal(_ payload: String, _ options: String...) throws -> Tool.Run {
        try tool.run(all: ["seal", "--to", "device.jwk", "--anonymous"] + options, input: payload)
    }

    private func opened(_ sealed: Tool.Run) throws -> JSONValue {
        let run = try tool.run("open", "--keyring", "device.jwks", "--anyone", input: sealed.text)
        return try JSONValue(parsing: Array(run.output))
    }

    /// A payload with texts of so many waving hands, four bytes each.
    private func payload(title: Int = 1, body: Int) -> String {
        func hands(_ count: Int) -> String { String(repeating: "👋", count: count) }
        return
            #"{"aps":{"alert":{"title":"\#(hands(title))","body":"\#(hands(body))"}},"k":"kept"}"#
    }

    @Test("The body is shortened, and a warning says so") func theBodyIsShortenedWithAWarning()
        throws
    {
        let run = try seal(payload(body: 1000), "--truncate", "body")
        #expect(run.status == 0)
        #expect(run.output.count <= 4096)
        let original = try opened(run)
        let body = try #require(original["aps"]?["alert"]?["body"]?.stringValue)
        #expect(body.hasSuffix("👋…"))
        #expect(body.dropLast().allSatisfy { $0 == "👋" })
        #expect(body.count > 600, "No more is cut than must be.")
        #expect(original["aps"]?["alert"]?["title"] == "👋")
        #expect(original["k"] == "kept")
        let kept = body.count - 1
        #expect(
            run.errors
                == "pushcrypt: warning: the body was too long: \(kept) characters are left, \(1000 - kept) were cut\n"
        )
        // One byte less than a hand is left over at the most.
        let json = try JSONText.encoded(original)
        #expect((2920...2923).contains(json.count))
    }

    @Test("Texts are shortened in the given order") func textsAreShortenedInOrder() throws {
        let run = try seal(payload(title: 400, body: 700), "--truncate", "title,body")
        let alert = try opened(run)["aps"]?["alert"]
        #expect(try #require(alert?["title"]?.stringValue).hasSuffix("…"))
        #expect(alert?["body"]?.stringValue?.hasSuffix("…") == false)
        let other = try seal(payload(title: 400, body: 700), "--truncate", "body title")
        #expect(try opened(other)["aps"]?["alert"]?["title"]?.stringValue?.count == 400)
        let both = try seal(payload(title: 1000, body: 1000), "--truncate", "title, body")
        #expect(both.errors.split(separator: "\n").count == 2)
        #expect(
            both.errors.contains("the title was too long: 0 characters are left, 1000 were cut"))
    }

    @Test("A text that fits is not shortened") func aTextThatFitsIsNotShortened() throws {
        let run = try seal(payload(body: 600), "--truncate", "body")
        #expect(run.errors.isEmpty)
        #expect(try opened(run)["aps"]?["alert"]?["body"]?.stringValue?.count == 600)
    }

    @Test("Without the option, a payload that is too long is an error")
    func withoutTheOptionItIsAnError() throws {
        for options in [[], ["--truncate", "subtitle"], ["--truncate", "title"]] {
            let run = try tool.run(
                all: ["seal", "--to", "device.jwk", "--anonymous"] + options,
                input: payload(body: 1000))
            #expect(run.status == 65)
            #expect(run.output.isEmpty)
            #expect(run.errors.contains("[payload-too-large]"))
        }
    }

    @Test("The text of a Live Activity is not shortened")
    func theTextOfALiveActivityIsNotShortened() throws {
        let text = String(repeating: "a", count: 4096)
        let json = """
            {"aps":{"event":"update","timestamp":1764000000,"content-state":{},"alert":{"title":"a","body":"\(text)"}}}
            """
        let run = try seal(
            json, "--truncate", "body", "--type", "liveactivity", "--expose", "alert")
        #expect(run.status == 65)
        #expect(run.output.isEmpty)
    }

    @Test(
        "Other texts cannot be shortened", arguments: ["nothing", "body,nothing", "alert", "Body"])
    func otherTextsCannotBeShortened(fields: String) throws {
        let run = try seal(payload(body: 1), "--truncate", fields)
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("'title', 'subtitle' or 'body'"))
    }

    @Test("Lint checks the shortened payload") func lintChecksTheShortenedPayload() throws {
        let long = payload(body: 1000)
        let run = try tool.run("lint", input: long)
        #expect(run.status == 65)
        #expect(run.text.contains("[payload-size]"))
        #expect(try tool.run("lint", "--truncate", "body", input: long).status == 0)
        let short = try tool.run("lint", "--truncate", "title", input: long)
        #expect(short.status == 65)
        #expect(short.text.contains("[payload-size]"))
    }
}
