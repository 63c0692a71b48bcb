import Foundation
import TestSupport
import Testing

@Suite(.toolThreads) struct DemoTests {
    private let tool: Tool

    init() throws {
        tool = try Tool()
    }

    private static let codes = [
        "decryption-failed", "unknown-signer", "not-sealed", "deadline-passed",
    ]

    @Test("The demo ends with the contrast, within a terminal of 24 lines and 80 columns")
    func summary() throws {
        let run = try tool.run("demo")
        #expect(run.status == 0 && run.errors.isEmpty)
        let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        // Two prompts are on the same screen.
        #expect(lines.count <= 22)
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
        let headings = ["APPLE SAW", "AN ATTACKER GOT", "THE USER READ", "┃ Card payment"]
        let places = headings.compactMap { run.text.firstRange(of: $0)?.lowerBound }
        #expect(places.count == headings.count && places == places.sorted())
        for code in Self.codes { #expect(run.text.contains("(Encrypted)  \(code)\n"), "\(code)") }
        #expect(!run.text.contains("Your bank"), "the outsider's text is never displayed")
        #expect(!run.text.contains("\u{1B}"), "no colors outside of a terminal")
        #expect(try tool.names.isEmpty, "the demo leaves no file")
    }

    @Test("The whole story has each step, and ends with the same contrast") func story() throws {
        let run = try tool.run("demo", "--full")
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.text.components(separatedBy: "┃ (Encrypted)").count == 6)
        for code in Self.codes { #expect(run.text.contains("\(code): "), "\(code)") }
        for text in ["\"crv\":\"X25519\"", "\"Card payment\"", "THE USER READ"] {
            #expect(run.text.contains(text), "\(text)")
        }
        #expect(!run.text.contains("┃ Your bank"))
    }

    @Test("Colors appear on a terminal, unless NO_COLOR is set", .terminal) func colors() throws {
        let command = "'\(try Tool.executable.path)' demo"
        #expect(
            try tool.runOnTerminal("unset NO_COLOR; TERM=xterm \(command)").contains(
                "\u{1B}[32mTHE USER READ"))
        for setting in ["NO_COLOR=1", "TERM=dumb"] {
            let shown = try tool.runOnTerminal("\(setting) \(command)")
            #expect(shown.contains("THE USER READ") && !shown.contains("\u{1B}"), "\(setting)")
        }
    }
}
