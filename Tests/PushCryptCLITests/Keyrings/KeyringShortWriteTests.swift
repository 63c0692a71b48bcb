#if os(Linux)
import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// The kernel may read and write fewer bytes than a call asks for, and the tool then continues.
@Suite(.toolThreads) struct KeyringShortWriteTests {
    private let tool: Tool
    private let shim: String

    init() throws {
        tool = try Tool()
        shim = tool.path(".short.so")
        try Self.compile(to: shim)
    }

    @Test("Keys are created, rotated and used") func keysAreCreatedRotatedAndUsed() throws {
        let made = try runShort("keygen", "--keyring", "ring.jwks")
        #expect(made.text == (try tool.keyring()).primary.key.publicKey.jwk + "\n")
        try tool.write(made.text, to: "first.jwk")
        let sealed = try runShort("seal", "--to", "first.jwk", "--anonymous", input: Self.payload)
        let rotated = try runShort("keygen", "--keyring", "ring.jwks")
        let ring = try tool.keyring()
        #expect(ring.generation == 2 && ring.retired.count == 1)
        #expect(rotated.text == ring.primary.key.publicKey.jwk + "\n")
        #expect(rotated.errors.hasSuffix("the old key still opens messages\n"))
        let list = try runShort("keys", "list", "--json", "--keyring", "ring.jwks")
        #expect(
            try list.output == tool.run("keys", "list", "--json", "--keyring", "ring.jwks").output)
        let opened = try runShort("open", "--anyone", "--keyring", "ring.jwks", input: sealed.text)
        #expect(opened.text == Self.payload)
    }

    @Test("A passphrase is read to its end", .longRun) func aPassphraseIsReadToItsEnd() throws {
        try tool.write("a passphrase of more than seven bytes\n", to: "passphrase", mode: 0o600)
        let made = try runShort(
            "keygen", "--protect", "--keyring", "ring.jwks", "--passphrase-file", "passphrase")
        // A file that was written in parts is read at once, and the reverse.
        let read = try tool.run(
            "keys", "public", "--keyring", "ring.jwks", "--passphrase-file", "passphrase")
        #expect(read.text == made.text && read.status == 0)
        let short = try runShort(
            "keys", "public", "--keyring", "ring.jwks", "--passphrase-fd", "0",
            input: "a passphrase of more than seven bytes\n")
        #expect(short.text == made.text)
    }

    // MARK: The shim

    private static let payload = #"{"aps":{"alert":{"title":"t","body":"b"}},"n":1}"#

    /// Runs the tool with shortened reads and writes, and expects success.
    private func runShort(_ arguments: String..., input: String? = nil) throws -> Tool.Run {
        let note = tool.path(".note")
        let run = try tool.run(
            all: arguments, input: input,
            environment: ["LD_PRELOAD": shim, "SHORT_READ_WRITE_NOTE": note])
        #expect(run.status == 0, "\(arguments): \(run.errors)")
        let counts = try tool.read(".note").split(whereSeparator: \.isWhitespace).compactMap {
            Int($0)
        }
        #expect(
            counts.count == 2 && counts.allSatisfy { $0 > 0 },
            "\(arguments): the shim had no effect")
        return run
    }

    private static func compile(to path: String) throws {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Shims/ShortReadWrite/ShortReadWrite.c").standardized.path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // Swift's toolchain has clang; a system without that may have another compiler.
        process.arguments = [
            "sh", "-c",
            #"compiler=$(command -v clang || command -v cc) && exec "$compiler" -shared -fPIC -O1 -o "$0" "$1""#,
            path, source,
        ]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "the shim does not compile")
    }
}
#endif
