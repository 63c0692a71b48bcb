import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// The placeholder: texts, or keys of the app's string table.
@Suite(.toolThreads, .thorough) struct PlaceholderOptionTests {
    private let tool: Tool

    init() throws {
        tool = try Tool()
        try tool.createDevice()
    }

    private func seal(_ options: [String]) throws -> Tool.Run {
        try tool.run(
            all: ["seal", "--to", "device.jwk", "--anonymous"] + options,
            input: #"{"aps":{"alert":"a"}}"#)
    }

    @Test(
        "Lines are texts or keys",
        arguments: [
            ([], #"{"body":"(Encrypted)"}"#),
            (["--placeholder-body", "B"], #"{"body":"B"}"#),
            (["--placeholder-loc-key", "B"], #"{"loc-key":"B"}"#),
            (["--placeholder-title", "T"], #"{"title":"T","body":"(Encrypted)"}"#),
            (["--placeholder-title-loc-key", "T"], #"{"title-loc-key":"T","body":"(Encrypted)"}"#),
            (
                [
                    "--placeholder-title-loc-key", "T", "--placeholder-loc-key", "B",
                ], #"{"title-loc-key":"T","loc-key":"B"}"#
            ),
            (
                ["--placeholder-title", "T", "--placeholder-loc-key", "B"],
                #"{"title":"T","loc-key":"B"}"#
            ),
            (["--placeholder-body", "", "--placeholder-title", "T"], #"{"title":"T","body":""}"#),
            (["--placeholder-body", "\"\u{1B}\\é"], #"{"body":"\"\u001b\\é"}"#),
        ] as [([String], String)])
    func linesAreTextsOrKeys(options: [String], alert: String) throws {
        let run = try seal(options)
        #expect(run.status == 0)
        #expect(
            run.text.hasPrefix(
                #"{"aps":{"alert":\#(alert),"mutable-content":1},"ENCRYPTED_DATA":""#))
    }

    @Test(
        "A line is a text or a key, not both",
        arguments: [
            ["--placeholder-body", "b", "--placeholder-loc-key", "B"],
            ["--placeholder-title", "t", "--placeholder-title-loc-key", "T"],
        ])
    func aLineIsATextOrAKey(options: [String]) throws {
        let run = try seal(options)
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(
            run.errors.hasPrefix(
                "pushcrypt: error: Give '\(options[0])' or '\(options[2])', not both."))
    }

    @Test(
        "The placeholder must have a text",
        arguments: [
            ["--placeholder-body", ""], ["--placeholder-loc-key", ""], ["--placeholder-loc-key"],
        ])
    func thePlaceholderNeedsAText(options: [String]) throws {
        let run = try seal(options)
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
    }
}
