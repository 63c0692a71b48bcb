import Foundation
import PushCryptCore
import TestSupport
import Testing

/// The pages of `preview --html` and `inspect --html`, which Tests/Pages/run opens in a browser.
@Suite(.toolThreads, .thorough) struct HTMLPageTests {
    private let tool: Tool
    private let device: String

    init() throws {
        tool = try Tool()
        device = try tool.createDevice().jwk
    }

    private func seal(_ payload: String, _ options: String...) throws -> String {
        try tool.run(all: ["seal", "--to", device, "--anonymous"] + options, input: payload).text
    }

    private func preview(_ sealed: String) throws -> Tool.Run {
        try tool.run("preview", "--html", "--keyring", "device.jwks", "--anyone", input: sealed)
    }

    private func inspect(_ payload: String) throws -> Tool.Run {
        try tool.run("inspect", "--html", input: payload)
    }

    /// Returns the parts of a page that an element of a class has.
    private func elements(_ style: String, of page: String) -> [String] {
        page.components(separatedBy: "class=\"\(style)\">").dropFirst().map {
            String($0.prefix { $0 != "<" })
        }
    }

    @Test("The preview displays the original, light and dark, beside the readable values")
    func opened() throws {
        let sealed = try seal(
            #"{"aps":{"alert":{"title":"Anna","body":"At 8 👋"},"badge":3,"sound":"ping"}}"#)
        let run = try preview(sealed)
        #expect(run.status == 0)
        #expect(elements("title", of: run.text) == ["Anna", "Anna"])
        #expect(elements("body", of: run.text) == ["At 8 👋", "At 8 👋"])
        #expect(elements("badge", of: run.text) == ["3", "3"])
        #expect(run.text.contains("<td>ping</td>"))
        #expect(elements("readable", of: run.text).prefix(2) == ["&quot;(Encrypted)&quot;", "1"])
        #expect(elements("sealed", of: run.text).contains { $0.hasPrefix("sealed: key ID ") })
    }

    @Test("A fallback has its reason, and the exit status is 65") func fallback() throws {
        let run = try preview(#"{"aps":{"alert":{"body":"forged"},"mutable-content":1}}"#)
        #expect(run.status == 65)
        #expect(elements("body", of: run.text) == ["(Encrypted)", "(Encrypted)"])
        #expect(elements("reason", of: run.text).first?.hasSuffix("[not-sealed]") == true)
    }

    @Test("A payload that isn't JSON has a page with the fallback", arguments: ["{", ""])
    func malformed(_ payload: String) throws {
        let run = try preview(payload)
        #expect(run.status == 65)
        #expect(elements("body", of: run.text) == ["(Encrypted)", "(Encrypted)"])
        #expect(elements("reason", of: run.text).count == 2)
    }

    @Test("No value becomes markup, and the page forbids scripts and requests") func escaping()
        throws
    {
        let evil = #"<script>alert(1)</script>'\"><img src=//evil.example>&amp;\u202E"#
        let aps = #"{"alert":{"title":"\#(evil)","body":"\#(evil)"},"category":"\#(evil)"}"#
        let original = #"{"aps":\#(aps),"\#(evil)":"\#(evil)"}"#
        for run in [try preview(try seal(original, "--expose", "category")), try inspect(original)]
        {
            #expect(run.text.contains("&lt;script&gt;alert(1)"))
            #expect(!run.text.contains("<script") && !run.text.contains("<img"))
            #expect(!run.text.unicodeScalars.contains("\u{202E}") && run.text.contains("\\u{202E}"))
            #expect(run.text.contains("default-src 'none'; style-src 'unsafe-inline'"))
            #expect(!run.text.contains("url(") && !run.text.contains("@import"))
        }
    }

    @Test(
        "The padding class of the message is marked",
        arguments: [("buckets", "256"), ("maximum", "maximum")])
    func paddingClass(padding: String, expected: String) throws {
        let run = try inspect(try seal(#"{"aps":{"alert":"a"}}"#, "--padding", padding))
        #expect(elements("chosen", of: run.text) == [expected])
    }

    @Test("A message without padding is in no class") func noPadding() throws {
        let run = try inspect(try seal(#"{"aps":{"alert":"a"}}"#, "--padding", "none"))
        #expect(elements("chosen", of: run.text).isEmpty)
        #expect(run.text.contains("no padding class"))
    }

    @Test("Findings are marked at their values, and are listed") func findings() throws {
        let run = try inspect(#"{"aps":{"alert":"a","badge":-1}}"#)
        let marks = elements("error", of: run.text)
        #expect(marks.count == 2 && marks[0] == marks[1])
        #expect(marks[0].contains("aps.badge"))
        #expect(run.text.contains("The payload isn&#39;t sealed"))
    }

    @Test("A payload that is too long fills the bar") func tooLong() throws {
        let run = try inspect(#"{"aps":{"alert":"\#(String(repeating: "a", count: 5000))"}}"#)
        #expect(run.text.contains("class=\"readable\" style=\"width: 100.0%\""))
        #expect(run.text.contains("bytes too many."))
    }

    @Test("The preview's file is private, because it has the original") func fileMode() throws {
        let sealed = try seal(#"{"aps":{"alert":"a"}}"#)
        let run = try tool.run(
            "preview", "--html", "--keyring", "device.jwks", "--anyone", "-o", "page.html",
            input: sealed)
        #expect(run.status == 0 && run.output.isEmpty)
        #expect(try tool.mode("page.html") == 0o600)
    }

    @Test("JSON and HTML exclude each other", arguments: ["preview", "inspect"]) func formats(
        _ command: String
    ) throws {
        #expect(try tool.run(command, "--json", "--html", input: "{}").status == 64)
    }
}
