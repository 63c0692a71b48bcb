import Foundation
import TestSupport
import Testing

/// No command overwrites a file that it reads.
@Suite(.toolThreads) struct OutputFileTests {
    private let tool: Tool
    private static let payload = #"{"aps":{"alert":"a"}}"#

    init() throws {
        tool = try Tool()
        try tool.write(Self.payload, to: "payload.json")
        try tool.createDevice()
        try tool.createServer()
        try tool.write("\"K\" = \"v\";", to: "L.strings")
        try tool.write("correct horse\n", to: "passphrase")
        try FileManager.default.createSymbolicLink(
            atPath: tool.path("link"), withDestinationPath: "payload.json")
    }

    @Test(
        "A file that the command reads is not overwritten",
        arguments: LongRun.cases(
            [
                (["seal", "--to", "device.jwk", "--anonymous", "payload.json"], "payload.json"),
                (["seal", "--to", "device.jwk", "--anonymous", "link"], "payload.json"),
                (["seal", "--to", "device.jwk", "--anonymous", "payload.json"], "./device.jwk"),
                (
                    ["seal", "--to", "device.jwk", "--sign-with", "server.jwks", "payload.json"],
                    "server.jwks"
                ),
                (
                    [
                        "seal", "--to", "device.jwk", "--sign-with", "server.jwks",
                        "--passphrase-file", "passphrase", "payload.json",
                    ],
                    "passphrase"
                ),
                (["open", "--keyring", "device.jwks", "--anyone", "payload.json"], "payload.json"),
                (
                    [
                        "open", "--keyring", "device.jwks", "--anyone", "--passphrase-file",
                        "passphrase", "-",
                    ],
                    "passphrase"
                ),
                (
                    ["open", "--keyring", "device.jwks", "--signed-by", "device.jwk", "-"],
                    "device.jwk"
                ),
                (
                    ["preview", "--keyring", "device.jwks", "--anyone", "payload.json"],
                    "payload.json"
                ),
                (
                    [
                        "preview", "--keyring", "device.jwks", "--anyone", "--strings", "L.strings",
                        "-",
                    ], "L.strings"
                ),
                (["inspect", "payload.json"], "payload.json"),
                (["lint", "payload.json"], "payload.json"),
                (["lint", "--strings", "L.strings", "payload.json"], "L.strings"),
                (["lint", "--info-plist", "L.strings", "payload.json"], "L.strings"),
            ], usually: 4))
    func aFileThatIsReadIsNotOverwritten(_ command: [String], _ output: String) throws {
        let before = try tool.read(output)
        let run = try tool.run(all: command + ["-o", output])
        #expect(
            run.status == 64 && run.errors.contains("is a file that the command reads"),
            "\(run.errors)")
        #expect(try tool.read(output) == before)
    }
}
