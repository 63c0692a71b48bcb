import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// The mistakes of first users: the command, the message and the exit status of each.
@Suite(.toolThreads) struct FirstUseTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let command: [String]
        let message: String
        let status: Int32

        var testDescription: String { command.joined(separator: " ") }

        init(_ command: [String], _ message: String, status: Int32) {
            self.command = command
            self.message = message
            self.status = status
        }
    }

    private let tool: Tool

    init() throws {
        tool = try Tool()
        try tool.createDevice()
        try tool.write(#"{"aps":{"alert":"a"}}"#, to: "payload.json")
        try tool.write("\u{FEFF}" + tool.read("device.jwk"), to: "mark.jwk")
        let payload = try #require(#"{"aps":{"alert":"a"}}"#.data(using: .utf16LittleEndian))
        try payload.write(to: URL(fileURLWithPath: tool.path("utf16.json")))
    }

    @Test(
        "A mistake has a message that names it, and says what to do",
        arguments: [
            Mistake(["encrypt"], "There is no command 'encrypt'. Did you mean 'seal'?", status: 64),
            Mistake(["decrypt", "x"], "There is no command 'decrypt'. Did you mean 'open'?", status: 64),
            Mistake(["rotate"], "There is no command 'rotate'. Did you mean 'keygen'?", status: 64),
            Mistake(
                ["seal", "--key", "x", "payload.json"],
                "There is no option '--key'. Did you mean '--to' or '--sign-with'?", status: 64),
            Mistake(["open", "--key", "x"], "There is no option '--key'. Did you mean '--keyring'?", status: 64),
            Mistake(
                ["seal", "payload.json"],
                "The device and the sender are missing. Give '--to KEY', and '--sign-with KEYRING' or '--anonymous'.",
                status: 64),
            Mistake(
                ["seal", "--anonymous", "--to", "payload.json", "payload.json"],
                "--to payload.json: This isn't a key: \"kty\" is missing. Use a JWK or a JWK Set. [malformed-jwk]",
                status: 1),
            Mistake(
                ["seal", "--anonymous", "--to", "mark.jwk", "payload.json"],
                "at byte 0, a byte order mark is not allowed. Correct it. [malformed-jwk]", status: 1),
            Mistake(
                ["seal", "--anonymous", "--to", "device.jwk", "utf16.json"],
                "at byte 0, the text is UTF-16, and must be UTF-8. Correct it. [malformed-json]", status: 65),
            Mistake(
                ["open", "--anyone", "payload.json"],
                "does not exist. Name your keyring, or create one with 'pushcrypt keygen'. [file-not-found]",
                status: 1),
        ])
    func mistake(_ mistake: Mistake) throws {
        let run = try tool.run(all: mistake.command)
        #expect(run.status == mistake.status)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains(mistake.message), "\(run.errors)")
    }

    @Test("A reader that ends early, such as head, is no failure", arguments: [["keys", "list"], ["help", "seal"]])
    func readerEndsEarly(command: [String]) throws {
        let environment = ["PUSHCRYPT_KEYRING": "device.jwks"]
        let run = try run(command, environment: environment)
        #expect(run.status == 0)
        #expect(run.errors.isEmpty, "\(run.errors)")
    }

    @Test("A reader that ends before the lines do leaves them unanswered") func readerOfLinesEndsEarly() throws {
        let line = try #"{"to":\#(tool.read("device.jwk"))}"#
        try tool.write(String(repeating: line.replacing("\n", with: "") + "\n", count: 100), to: "lines")
        let run = try run(["seal", "--lines", "--anonymous", "--payload", "payload.json", "lines"])
        #expect(run.status == 1)
        #expect(!run.errors.contains("error:"), "\(run.errors)")
    }

    /// Runs the tool with a standard output that has no reader.
    private func run(_ command: [String], environment: [String: String] = [:]) throws -> Tool.Run {
        // The reader ends first, and only then the tool starts.
        let shell = #"exec 3> >(:); wait $!; exec "$0" "$@" >&3 3>&-"#
        return try tool.run(all: command, environment: environment, through: ["/bin/bash", "-c", shell])
    }
}
