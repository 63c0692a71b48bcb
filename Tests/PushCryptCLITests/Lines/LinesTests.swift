import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptCLI

@Suite(.toolThreads) struct LinesTests {
    private static let payload = #"{"aps":{"alert":{"title":"t","body":"b"}},"n":1.10}"#
    private let tool: Tool
    private let device: RecipientPublicKey
    private let key: String

    init() throws {
        tool = try Tool()
        device = try tool.createDevice()
        key = Base64URL.encode(device.rawRepresentation)
        try tool.createServer()
        try tool.write(Self.payload, to: "payload.json")
    }

    private static func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

    private static func isObject(_ line: Substring) -> Bool {
        guard case .object? = try? JSONValue(parsing: Array(line.utf8)) else { return false }
        return true
    }

    /// Returns the members of a line.
    private static func members(_ line: Substring) throws -> [String: JSONValue] {
        guard case .object(let members) = try JSONValue(parsing: Array(line.utf8)) else {
            return [:]
        }
        return members
    }

    @Test("Lines are sealed and opened in order, and other members keep their bytes")
    func linesAreSealedAndOpenedInOrder() throws {
        let registration = #"{"created":1,"generation":1,"key":\#(device.jwk),"lifetime":3600}"#
        let input = [
            #"{"id" : 1.10,"to":"\#(key)","payload":{"aps":{"alert":"own"} },"z":[ 1 ]}"#,
            #"{"headers":1,"to":\#(registration),"collapse-id":"c"}"#,
            #"{"t\u006f":\#(device.jwk),"type":"voip","topic":"com.example.app.voip","lifetime":60}"#,
        ]
        let sealed = try tool.run(
            "seal", "--lines", "--sign-with", "server.jwks", "--payload", "payload.json", "--topic",
            "com.example.app",
            input: input.joined(separator: "\n"))
        #expect(sealed.status == 0)
        #expect(
            sealed.errors.hasPrefix("pushcrypt: hint: answered 3 lines, and refused 0 of them, in ")
        )
        let lines = Self.lines(sealed.text)
        try #require(lines.count == 3 && sealed.text.hasSuffix("}}\n"))
        #expect(
            lines[0].hasPrefix(
                #"{"id" : 1.10,"payload":{"aps":{"alert":{"body":"(Encrypted)"},"mutable-content":1}"#
            ))
        #expect(lines[0].contains(#"},"z":[ 1 ],"headers":{"apns-expiration":""#))
        #expect(lines[1].hasPrefix(#"{"collapse-id":"c","payload":{"aps""#))
        #expect(
            lines[1].hasSuffix(
                #""apns-priority":"10","apns-push-type":"alert","apns-topic":"com.example.app"}}"#)
                && lines[1].contains(#""headers":{"apns-collapse-id":"c","apns-expiration""#))
        #expect(
            lines[2].hasPrefix(
                #"{"type":"voip","topic":"com.example.app.voip","lifetime":60,"payload":"#))

        let opened = try tool.run(
            "open", "--lines", "--keyring", "device.jwks", "--signed-by", "server.jwk", "-o",
            "opened",
            input: sealed.text)
        #expect(opened.status == 0 && opened.output.isEmpty)
        #expect(try tool.mode("opened") == 0o600)
        let originals = Self.lines(try tool.read("opened"))
        try #require(originals.count == 3)
        #expect(
            originals[0].hasPrefix(
                #"{"id" : 1.10,"payload":{"aps":{"alert":"own"}},"z":[ 1 ],"headers":{"#))
        #expect(
            originals[1].contains(#","payload":\#(Self.payload),"headers":{"apns-collapse-id":"c""#)
        )
        #expect(originals[2].contains(#","payload":\#(Self.payload),"#))
    }

    @Test("A refused line has its number, its code and no content") func aRefusedLineHasNoContent()
        throws
    {
        let long = String(repeating: "x", count: (1 << 16) + 1)
        let cases = [
            ("", "malformed-json"), ("[]", "malformed-json"),
            (#"{"id":1,"id":2}"#, "malformed-json"),
            (long, "line-too-long"), (long + long + long, "line-too-long"),
            (#"{"payload":{"s":"geheim"}}"#, "missing-value"),
            (#"{"to":"\#(key)"}"#, "missing-value"),
            (
                #"{"to":"\#(String(repeating: "A", count: 43))","payload":{"s":"geheim"}}"#,
                "invalid-key"
            ),
            (#"{"to":"\#(key)","payload":{"aps":{}},"type":"geheim"}"#, "not-sealable"),
            (#"{"to":"\#(key)","payload":{"aps":{}},"type":1}"#, "type-mismatch"),
            (
                #"{"to":"\#(key)","payload":{"aps":{"alert":"geheim"}},"lifetime":"+7d"}"#,
                "invalid-lifetime"
            ),
            (
                #"{"to":"\#(key)","payload":{"aps":{"alert":"geheim"}},"priority":3}"#,
                "invalid-header"
            ),
            // A keyring by mistake.
            (try tool.read("device.jwks").replacing("\n", with: ""), "missing-value"),
        ]
        let numbered = cases.map { $0.0.hasPrefix(#"{""#) ? #"{"id":7,"# + $0.0.dropFirst() : $0.0 }
        let run = try tool.run(
            "seal", "--lines", "--anonymous", input: numbered.joined(separator: "\n") + "\n")
        #expect(run.status == 65)
        #expect(!run.text.contains("geheim") && !run.text.contains(#""d""#))
        let lines = Self.lines(run.text)
        try #require(lines.count == cases.count)
        for (number, (line, wanted)) in zip(lines, cases.map(\.1)).enumerated() {
            let members = try Self.members(line)
            #expect(
                line.contains(#","line":\#(number + 1),"error""#)
                    || line.hasPrefix(#"{"line":\#(number + 1),"error""#))
            guard case .object(let error)? = members["error"] else {
                return #expect(Bool(false), "\(line)")
            }
            #expect(error["code"] == .string(wanted), "\(line)")
            // The answer keeps the members that aren't keys.
            #expect(
                Set(members.keys).subtracting(["line", "error", "id", "generation"]).isEmpty,
                "\(line)")
            #expect(
                (members["id"] != nil) == (wanted != "malformed-json" && wanted != "line-too-long"),
                "\(line)")
        }
    }

    @Test("A line may have exactly 65,536 bytes") func aLineMayHaveExactly65536Bytes() throws {
        let start = #"{"to":"\#(key)","x":""#
        let longest =
            start + String(repeating: "x", count: (1 << 16) - start.utf8.count - 2) + #""}"#
        let run = try tool.run(
            "seal", "--lines", "--anonymous", "--payload", "payload.json",
            input: longest + "\n" + longest + "\r\n")
        #expect(run.status == 65)
        let lines = Self.lines(run.text)
        try #require(lines.count == 2)
        #expect(lines[0].hasPrefix(#"{"x":"xxx"#) && lines[1].contains("line-too-long"))
    }

    @Test("A payload may have 64 levels in its line") func aPayloadMayHave64Levels() throws {
        func line(_ levels: Int) -> String {
            let (opening, closing) = (
                String(repeating: "[", count: levels), String(repeating: "]", count: levels)
            )
            return #"{"to":"\#(key)","payload":{"aps":{"alert":"a"},"x":\#(opening)\#(closing)}}"#
                + "\n"
        }
        let run = try tool.run("seal", "--lines", "--anonymous", input: line(63) + line(64))
        #expect(run.status == 65)
        let lines = Self.lines(run.text)
        try #require(lines.count == 2)
        #expect(lines[0].contains("ENCRYPTED_DATA") && lines[1].contains("malformed-json"))
    }

    @Test("An incomplete output is continued behind its last complete line")
    func anOutputIsContinued() throws {
        let input = (0..<40).map { #"{"id":\#($0),"to":"\#($0 == 5 ? "x" : key)"}"# + "\n" }
            .joined()
        try tool.write(input, to: "input")
        let seal = [
            "seal", "--lines", "--anonymous", "--payload", "payload.json", "-o", "output", "input",
        ]
        #expect(try tool.run(all: seal).status == 65)
        let whole = try tool.read("output")
        let again = try tool.run(all: seal)
        #expect(again.status == 1 && again.errors.contains("[file-exists]"))
        #expect(try tool.read("output") == whole)

        let kept = whole.utf8.dropLast(10_000)
        try tool.write(String(Substring(kept)), to: "output")
        let resumed = try tool.run(all: seal + ["--resume", "--threads", "3"])
        let complete = Substring(kept).filter { $0 == "\n" }.count
        #expect(resumed.status == 0)
        #expect(
            resumed.errors.contains("answered \(40 - complete) lines")
                && resumed.errors.contains("the output had \(complete)")
        )
        let lines = Self.lines(try tool.read("output"))
        #expect(
            zip(lines, 0..<40).allSatisfy { $0.contains(#"{"id":\#($1),"#) } && lines.count == 40)
        #expect(lines.allSatisfy(Self.isObject), "a torn line is replaced, not continued")
        #expect(lines[..<complete] == Self.lines(whole)[..<complete])

        try tool.write(#"{"to":"\#(key)"}"#, to: "input")
        let shorter = try tool.run(all: seal + ["--resume"])
        #expect(shorter.status == 1 && shorter.errors.contains("more lines than the input"))
    }

    @Test("Keys are never continued as an output") func keysAreNeverContinued() throws {
        let ring = try tool.read("device.jwks")
        let run = try tool.run(
            "open", "--lines", "--keyring", "device.jwks", "--anyone", "--resume", "-o",
            "server.jwks",
            input: #"{"id":1}"#)
        #expect(run.status == 1 && run.errors.contains("isn't an output"))
        #expect(try tool.read("device.jwks") == ring)
    }

    @Test(
        "Only an output is continued, and no file is cut before", .thorough,
        arguments: ["text\nmore", "{\"a\":1}\nmore", "text"])
    func onlyOutputsAreContinued(other: String) throws {
        let seal = [
            "seal", "--lines", "--anonymous", "--payload", "payload.json", "--resume", "-o",
            "output",
        ]
        try tool.write(other, to: "output")
        let run = try tool.run(all: seal, input: #"{"to":"\#(key)"}"#)
        #expect(run.status == 1 && run.errors.contains("isn't an output"))
        let longer = #"{"payload":1,"keys":1}"# + "\n{\"payload\":2}\ntorn"
        #expect(try tool.read("output") == other)
        try tool.write(longer, to: "output")
        #expect(
            try tool.run(all: seal, input: #"{"to":"\#(key)"}"#).errors.contains(
                "more lines than the input"))
        #expect(try tool.read("output") == longer)
        #expect(
            try tool.run(all: seal, input: String(repeating: #"{"to":"\#(key)"}"# + "\n", count: 3))
                .status == 0)
        let lines = Self.lines(try tool.read("output"))
        #expect(
            lines.count == 3 && lines[0].contains("keys") && lines[2].contains("ENCRYPTED_DATA"))
        #expect(lines.allSatisfy(Self.isObject))

        let deep =
            #"{"payload":"# + String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
            + "}\n"
        try tool.write(deep, to: "output")
        #expect(try tool.run(all: seal, input: "{}\n{}").status == 65)
        #expect(try Self.lines(tool.read("output")).count == 2)
    }

    @Test("Standard input isn't continued as its own output") func inputIsNotOutput() throws {
        let line = #"{"to":"\#(key)","payload":{"aps":{}}}"#
        try tool.write(line, to: "lines")
        let shell = #"exec "$0" "$@" < lines"#
        let run = try tool.run(
            all: ["seal", "--lines", "--anonymous", "--resume", "-o", "lines"],
            through: ["/bin/bash", "-c", shell])
        #expect(run.status == 64 && run.errors.contains("command reads"), "\(run.errors)")
        #expect(try tool.read("lines") == line)
    }

    @Test("Hints don't get into the output if standard error is closed") func closedStreams() throws
    {
        try tool.write(#"{"to":"\#(key)"}"# + "\n", to: "lines")
        for shell in [#"exec "$0" "$@" -o output >&- 2>&-"#, #"exec "$0" "$@" <&- 2>&- >output"#] {
            let run = try tool.run(
                all: ["seal", "--lines", "--anonymous", "--payload", "payload.json", "lines"],
                through: ["/bin/bash", "-c", shell])
            #expect(run.status == 0)
            #expect(try Self.lines(tool.read("output")).count == 1)
            try FileManager.default.removeItem(atPath: tool.path("output"))
        }
    }

    @Test(
        "A rejected line doesn't repeat a private key with escapes", .thorough,
        arguments: [
            #"{"kty":"OKP","\u0064":"SECRET"}"#, #"[[{"cr\u0076":"X25519","d":"SECRET"}]]"#,
            #""{\u0022kty\u0022:\"OKP\",\"d\":\"SECRET\"}""#,
            #""{\"kty\":\"OKP\",\"\\u0064\":\"SECRET\"}""#,
            #""-----BEGIN PRIVATE KEY\u002d----SECRET""#,
            #"" {\"kty\":\"OKP\",\"\\u0064\":\"SECRET\"}""#,
            String(repeating: "[", count: 63) + #"{"kty":"OKP","d":"SECRET"}"#
                + String(repeating: "]", count: 63),
        ])
    func escapedPrivateKeyIsNotRepeated(value: String) throws {
        let run = try tool.run(
            "seal", "--lines", "--anonymous",
            input: #"{"id":7,"mine":\#(value),"to":1,"payload":{}}"#)
        #expect(run.status == 65 && run.text.hasPrefix(#"{"id":7,"line":1,"#), "\(run.text)")
        #expect(!run.text.contains("SECRET") && !run.errors.contains("SECRET"), "\(run.text)")
    }

    @Test("A rejected line doesn't repeat a private key in a string") func privateKeyIsNotRepeated()
        throws
    {
        let key = #"{\"kty\":\"OKP\",\"d\":\"SECRET\"}"#
        let run = try tool.run(
            "seal", "--lines", "--anonymous", "--payload", "payload.json",
            input: #"{"x":"\#(key)"}"#)
        #expect(run.status == 65 && !run.text.contains("SECRET"), "\(run.text)")
    }

    // macOS has no /dev/full.
    private static let failures =
        ["closed", "payload"] + ["/dev/full"].filter(FileManager.default.fileExists(atPath:))

    @Test("A failure of the output or of a file ends with status 1", .thorough, arguments: failures)
    func aFailureIs1(kind: String) throws {
        let input = (0..<50).map { #"{"id":\#($0),"to":"\#(key)"}"# + "\n" }.joined()
        let payload = kind == "payload" ? "device.jwks" : "payload.json"
        let seal = ["seal", "--lines", "--anonymous", "--payload", payload]
        let shell =
            kind == "closed"
            ? #""$0" "$@" | true; exit ${PIPESTATUS[0]}"# : #"exec "$0" "$@" > /dev/full"#
        let run = try tool.run(all: seal, input: input, through: ["/bin/bash", "-c", shell])
        #expect(run.status == 1 && !run.wasKilled)
        let messages = ["payload": "device.jwks is a key", "/dev/full": "standard output"]
        // A reader that ends early isn't told.
        #expect(
            messages[kind].map(run.errors.contains) ?? !run.errors.contains("error:"),
            "\(run.errors)")
    }

    @Test("Plain seal hints at --lines") func plainSealHints() throws {
        let line = #"{"to":"\#(key)","payload":\#(Self.payload)}"# + "\n"
        for input in [line + line, String(repeating: line, count: 1000)] {
            let run = try tool.run("seal", "--to", "device.jwk", "--anonymous", input: input)
            #expect(run.status == 65 && run.errors.contains("'--lines'"), "\(run.errors)")
        }
        let run = try tool.run("seal", "--to", "device.jwk", "--anonymous", input: "{")
        #expect(run.status == 65 && !run.errors.contains("--lines"))
    }

    @Test(
        "Wrong usage of lines ends with status 64", .thorough,
        arguments: LongRun.cases(
            [
                ["seal", "--lines"], ["seal", "--lines", "--anonymous", "--to", "device.jwk"],
                ["seal", "--to", "device.jwk", "--anonymous", "--threads", "2"],
                ["seal", "--to", "device.jwk", "--anonymous", "--payload", "payload.json"],
                ["seal", "--lines", "--anonymous", "--resume"],
                ["seal", "--lines", "--anonymous", "--threads", "0"],
                ["seal", "--lines", "--anonymous", "--lifetime", "31d"],
                ["seal", "--lines", "--anonymous", "--topic", "com.example app"],
                [
                    "seal", "--lines", "--anonymous", "--payload", "payload.json", "-o",
                    "payload.json", "--resume",
                ],
                ["open", "--lines", "--keyring", "device.jwks"],
                ["open", "--keyring", "device.jwks", "--anyone", "--resume", "-o", "x"],
            ], usually: 3))
    func wrongUsageIs64(arguments: [String]) throws {
        let run = try tool.run(all: arguments)
        #expect(run.status == 64 && run.output.isEmpty, "\(run.errors)")
    }

    @Test("A terminal shows the progress", .terminal) func aTerminalShowsTheProgress() throws {
        try tool.write(String(repeating: #"{"to":"\#(key)"}"# + "\n", count: 300), to: "input")
        let command =
            "'\(try Tool.executable.path)' seal --lines --anonymous --payload payload.json -o output input"
        let shown = try tool.runOnTerminal(command)
        #expect(shown.contains(#/\r[0-9]+ lines, [0-9]+ per second, 0.0 minutes left/#), "\(shown)")
        #expect(shown.contains("answered 300 lines, and refused 0 of them"))
    }
}
