import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// Tests of `seal --sign-command`.
@Suite(.toolThreads, .thorough) struct SignCommandTests {
    private let server: ServerDirectory
    private static let payload = #"{"aps":{"alert":"a"}}"#

    init() throws {
        server = try ServerDirectory()
    }

    /// Writes a program that signs as a service would, with Python and openssl.
    private func writeProgram(_ body: String, to name: String = "sign") throws {
        try server.tool.write("#!/bin/sh\n\(body)\n", to: name, mode: 0o700)
    }

    private func seal(_ more: String..., command: String = "./sign") throws -> Tool.Run {
        try server.tool.run(
            all: [
                "seal", "--to", "device.jwk", "--sign-command", command, "--signer", "server.jwk",
            ] + more,
            input: Self.payload)
    }

    @Test(
        "A program that fails has an error that says what to do",
        arguments: [
            ("exit 3", "ended before it signed"), ("read line", "ended before it signed"),
            ("read line; echo hello", "isn't 64 bytes in base64url"),
            (
                "read line; head -c 3000 /dev/zero | tr '\\0' A; echo",
                "a line of more than 1024 bytes"
            ),
            ("read line; printf '%085dA\\n' 0", "doesn't fit the key"),
        ])
    func failures(body: String, message: String) throws {
        try writeProgram(body)
        let run = try seal()
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(
            run.errors.contains(message) && run.errors.contains("[signer-failed]"), "\(run.errors)")
    }

    @Test("A missing program is an error") func missing() throws {
        let run = try seal(command: "./no-such-program --key 7")
        #expect(run.status == 1 && run.errors.contains("[signer-failed]"), "\(run.errors)")
    }

    @Test(
        "A program that hangs, or that writes forever, is ended",
        arguments: [
            "sleep 600", "exec cat /dev/zero", "sleep 600 & wait", "sh -c 'sleep 600'; sleep 600",
        ])
    func hanging(body: String) throws {
        try writeProgram(body)
        let run = try seal("--sign-timeout", "1s")
        #expect(run.status == 1 && run.errors.contains("didn't answer within 1 s"), "\(run.errors)")
    }

    @Test("After three failures in a row, the program isn't started for the time of its timeout")
    func patience() throws {
        try writeProgram("echo x >> starts; exit 1")
        let line =
            try #"{"to":\#(server.tool.read("device.jwk")),"payload":\#(Self.payload)}"# + "\n"
        let run = try server.tool.run(
            "seal", "--lines", "--threads", "1", "--sign-timeout", "1h", "--sign-command", "./sign",
            "--signer",
            "server.jwk", input: String(repeating: line, count: 10))
        #expect(run.status == 65)
        #expect(
            run.text.split(separator: "\n").filter { $0.contains(#""code":"signer-failed""#) }.count
                == 10)
        #expect(try server.tool.read("starts") == "x\nx\nx\n")
    }

    @Test("The program signs each message, and one process signs many", .enabled(if: hasPython))
    func signatures() throws {
        let program = Self.signer(privateKey: try server.privateKey())
        try server.tool.write(program, to: "sign", mode: 0o700)
        let run = try seal(command: "./sign --key 7")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("started with --key 7"))
        #expect(
            try server.open(Array(run.output), signedBy: [server.first]) == Array(Self.payload.utf8)
        )

        let windows = try seal(command: "./sign crlf")
        #expect(windows.status == 0, "\(windows.errors)")

        let line =
            try #"{"to":\#(server.tool.read("device.jwk")),"payload":\#(Self.payload)}"# + "\n"
        let lines = try server.tool.run(
            "seal", "--lines", "--threads", "1", "--sign-command", "./sign", "--signer",
            "server.jwk",
            input: String(repeating: line, count: 40))
        #expect(
            lines.status == 0 && lines.errors.components(separatedBy: "started with").count == 2)
        for answer in lines.text.split(separator: "\n") {
            let sealed = try JSONText.encoded(
                #require(JSONValue(parsing: Array(answer.utf8))["payload"]))
            #expect(try server.open(sealed, signedBy: [server.first]) == Array(Self.payload.utf8))
        }
        // The second signer is for devices that accept no other.
        try server.tool.write(server.registration(accepting: [server.first]), to: "device.jwk")
        let second = try server.tool.run(
            "seal", "--to", "device.jwk", "--sign-command", "./none", "--signer", "root.jwk",
            "--sign-command",
            "./sign", "--signer", "server.jwk", input: Self.payload)
        #expect(
            try server.open(Array(second.output), signedBy: [server.first])
                == Array(Self.payload.utf8))
    }

    @Test("Wrong options end with 64")
    func wrongOptions() throws {
        let seal = ["seal", "--to", "device.jwk"]
        for arguments in [
            ["--sign-command", "x"], ["--signer", "server.jwk"],
            ["--anonymous", "--sign-timeout", "3s"],
            ["--sign-command", " ", "--signer", "server.jwk"],
            ["--sign-command", "x", "--signer", "server.jwk", "--anonymous"],
            ["--sign-command", "x", "--signer", "server.jwk", "--sign-with", "server.jwks"],
            ["--sign-command", "x", "--signer", "server.jwk", "--mounted"],
            ["--sign-command", "x", "--signer", "server.jwk", "--sign-timeout", "0s"],
        ] {
            let run = try server.tool.run(all: seal + arguments, input: Self.payload)
            #expect(run.status == 64 && run.output.isEmpty, "\(arguments): \(run.errors)")
        }
    }

    private static let hasPython = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

    /// A program that signs with libsodium, which the tool links.
    private static func signer(privateKey: String) -> String {
        """
        #!/usr/bin/python3
        import base64, ctypes, ctypes.util, sys
        sodium = ctypes.CDLL(ctypes.util.find_library("sodium"))
        sodium.sodium_init()
        public, secret = ctypes.create_string_buffer(32), ctypes.create_string_buffer(64)
        decode = lambda text: base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        sodium.crypto_sign_seed_keypair(public, secret, decode("\(privateKey)"))
        print("started with", *sys.argv[1:], file=sys.stderr, flush=True)
        for line in sys.stdin:
            message, signature = decode(line.strip()), ctypes.create_string_buffer(64)
            sodium.crypto_sign_detached(signature, None, message, \
        ctypes.c_ulonglong(len(message)), secret)
            end = "\\r\\n" if "crlf" in sys.argv else "\\n"
            print(base64.urlsafe_b64encode(signature.raw).decode().rstrip("="), end=end, flush=True)
        """
    }
}

extension ServerDirectory {
    /// The private half of the server's primary key, in base64url.
    func privateKey() throws -> String {
        let text = try tool.read("server.jwks")
        return try #require(
            text.components(separatedBy: #""d":""#).last.map { String($0.prefix(43)) })
    }
}
