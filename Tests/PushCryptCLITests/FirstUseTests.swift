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
        try tool.write("{\"aps\":\n {\"alert\":\"ä\",}}", to: "comma.json")
        try tool.write("", to: "empty", mode: 0o600)
        try tool.write(String(tool.read("device.jwks").prefix(100)), to: "torn.jwks", mode: 0o600)
        try tool.write("{\"payload\":{}}\n", to: "lines.ndjson")
        try tool.createServer()
        let payload = try #require(#"{"aps":{"alert":"a"}}"#.data(using: .utf16LittleEndian))
        try payload.write(to: URL(fileURLWithPath: tool.path("utf16.json")))
    }

    static let mistakes = [
        Mistake(["encrypt"], "There is no command 'encrypt'. Did you mean 'seal'?", status: 64),
        Mistake(
            ["decrypt", "x"], "There is no command 'decrypt'. Did you mean 'open'?", status: 64),
        Mistake(["rotate"], "There is no command 'rotate'. Did you mean 'keygen'?", status: 64),
        Mistake(
            ["seal", "--key", "x", "payload.json"],
            "The device and the sender are missing. Give '--to KEY', and '--sign-with KEYRING' or '--anonymous'.",
            status: 64),
        Mistake(["open", "--anyone", "--key", "x"], "Unknown option '--key'\n", status: 64),
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
            "at line 1, column 1 (byte 0), a byte order mark is not allowed. Correct it. [malformed-jwk]",
            status: 1),
        Mistake(
            ["seal", "--anonymous", "--to", "device.jwk", "utf16.json"],
            "at line 1, column 1 (byte 0), the text is UTF-16, and must be UTF-8. Correct it. [malformed-json]",
            status: 65),
        Mistake(
            ["seal", "--anonymous", "--to", "device.jwk", "comma.json"],
            "at line 2, column 15 (byte 23), a name in quotation marks is missing. Correct it. [malformed-json]",
            status: 65),
        Mistake(
            ["seal", "--anonymous", "--to", "empty", "payload.json"],
            "--to empty: The text is empty. Use a JWK, a JWK Set or 43 characters of base64url. [malformed-jwk]",
            status: 1),
        Mistake(
            ["seal", "--to", "server.jwks", "--sign-with", "device.jwks", "payload.json"],
            "--to server.jwks: This is an Ed25519 key. Use an X25519 key with \"use\":\"enc\". [wrong-key-type]",
            status: 1),
        Mistake(
            ["keys", "check", "--keyring", "torn.jwks"],
            "the text ends too early. Restore the file from a backup. [malformed-jwk]", status: 65),
        Mistake(
            ["keys", "check", "--keyring", "empty"],
            "at line 1, column 1 (byte 0), the text ends too early. Restore the file from a backup. [malformed-jwk]",
            status: 65),
        Mistake(
            ["seal", "--lines", "--anonymous", "--payload", "payload.json", "-o", "payload.json"],
            "is a file that the command reads", status: 64),
        Mistake(
            ["seal", "--lines", "--anonymous", "-o", "lines.ndjson", "payload.json"],
            "lines.ndjson exists already. Name another file, or continue it with '--resume'. [file-exists]",
            status: 1),
        Mistake(
            ["seal", "--lines", "--anonymous", "--payload", "comma.json"],
            "--payload comma.json: The payload is not one strict JSON object: at line 2, column 15 (byte 23), ",
            status: 1),
        Mistake(
            ["seal", "--lines", "--anonymous", "--to", "device.jwk"],
            "With '--lines', each line names its device as \"to\". Remove '--to'.", status: 64),
        Mistake(
            ["keygen", "--new", "--keyring", "device.jwks"],
            "It already exists. Name another file, or print its key with 'pushcrypt keys public'.",
            status: 1),
        Mistake(
            ["open", "--anyone", "payload.json"],
            "does not exist. Name your keyring, restore it, or create one with 'pushcrypt keygen'. [file-not-found]",
            status: 1),
    ]

    @Test(
        "A mistake has a message that names it, and says what to do", .thorough,
        arguments: LongRun.cases(mistakes, usually: 8))
    func mistake(_ mistake: Mistake) throws {
        let run = try tool.run(all: mistake.command)
        #expect(run.status == mistake.status)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains(mistake.message), "\(run.errors)")
    }

    @Test("The private keys of a device as its key give a warning") func privateKeysOfADevice()
        throws
    {
        let run = try tool.run("seal", "--anonymous", "--to", "device.jwks", "payload.json")
        #expect(run.status == 0)
        #expect(
            run.errors.contains("warning: device.jwks has the device's private key, which"),
            "\(run.errors)")
        let well = try tool.run("seal", "--anonymous", "--to", "device.jwk", "payload.json")
        #expect(well.status == 0 && well.errors.isEmpty, "\(well.errors)")
    }

    @Test(
        "A reader that ends early, such as head, is no failure",
        arguments: [["keys", "list"], ["help", "seal"]])
    func readerEndsEarly(command: [String]) throws {
        let environment = ["PUSHCRYPT_KEYRING": "device.jwks"]
        let run = try run(command, environment: environment)
        #expect(run.status == 0)
        #expect(run.errors.isEmpty, "\(run.errors)")
    }

    @Test("A reader that ends before the lines do leaves them unanswered")
    func readerOfLinesEndsEarly() throws {
        let line = try #"{"to":\#(tool.read("device.jwk"))}"#
        try tool.write(
            String(repeating: line.replacing("\n", with: "") + "\n", count: 100), to: "lines")
        let run = try run(["seal", "--lines", "--anonymous", "--payload", "payload.json", "lines"])
        #expect(run.status == 1)
        #expect(!run.errors.contains("error:"), "\(run.errors)")
    }

    /// Runs the tool with a standard output that has no reader.
    private func run(_ command: [String], environment: [String: String] = [:]) throws -> Tool.Run {
        // The reader ends first, and only then the tool starts.
        let shell = #"exec 3> >(:); wait $!; exec "$0" "$@" >&3 3>&-"#
        return try tool.run(
            all: command, environment: environment, through: ["/bin/bash", "-c", shell])
    }
}
