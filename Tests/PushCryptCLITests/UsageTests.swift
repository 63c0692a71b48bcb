import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// Mistakes at the command line, as new users make them.
@Suite(.toolThreads, .thorough) struct UsageTests {
    private let tool: Tool

    init() throws {
        tool = try Tool()
    }

    private static let seal = ["seal", "--anonymous", "--to", "device.jwk"]
    private static let open = ["open", "--anyone"]

    private func expectError(_ message: String, of arguments: [String]) throws {
        let run = try tool.run(all: arguments)
        #expect(run.status == 64 && run.output.isEmpty)
        #expect(
            run.errors.hasPrefix("pushcrypt: error: ") && run.errors.contains(message),
            "\(run.errors)")
    }

    @Test(
        "An unknown option is reported with the nearest",
        arguments: LongRun.cases(
            [
                (seal + ["--anonymus"], "Unknown option '--anonymus'. Did you mean '--anonymous'?"),
                (
                    seal + ["--placeholder-bdy=x"],
                    "'--placeholder-bdy'. Did you mean '--placeholder-body'?"
                ),
                (
                    open + ["--signedby", "x"],
                    "Unknown option '--signedby'. Did you mean '--signed-by'?"
                ),
                (["keys", "list", "--jsn"], "Unknown option '--jsn'. Did you mean '--json'?"),
                (
                    open + ["-keyrings", "x"],
                    "Unknown option '-keyrings'. Did you mean '--keyring'?"
                ),
                (["keygen", "--something-else"], "Unknown option '--something-else'\n"),
                (["--keyring", "a", "keygen"], "A command is missing before '--keyring'."),
                (["keys", "--json"], "A command is missing before '--json'."),
            ], usually: 4))
    func anUnknownOptionIsReported(arguments: [String], message: String) throws {
        try expectError(message, of: arguments)
    }

    @Test(
        "A missing option is named in spite of one with another name",
        arguments: LongRun.cases(
            [
                (
                    ["seal", "--recipient=x"],
                    "Give '--to KEY', and '--sign-with KEYRING' or '--anonymous'."
                ),
                (
                    ["seal", "--to", "x", "--signed-by", "y"],
                    "Add '--sign-with KEYRING' or '--anonymous'."
                ),
                (
                    ["open", "--sign-with", "x"],
                    "Add '--signed-by KEY', or '--anyone' to accept any sender."
                ),
            ], usually: 2))
    func aMissingOptionIsNamed(arguments: [String], message: String) throws {
        try expectError(message, of: arguments)
    }

    @Test(
        "A secret instead of an option isn't repeated",
        arguments: LongRun.cases(["--", "-", "--keyrings=", "--passphrase="], usually: 2),
        ["", "=", "=x"])
    func aSecretOptionIsNotRepeated(prefix: String, suffix: String) throws {
        let secret = String(repeating: "Zq7", count: 15)
        for command in [Self.seal, Self.open, ["keys", "list"], ["keys"], []] {
            let run = try tool.run(all: command + [prefix + secret + suffix])
            #expect(run.status == 64 && !run.errors.contains(secret), "\(run.errors)")
        }
    }

    @Test(
        "An unknown command is reported with the nearest",
        arguments: [
            (["sael"], "There is no command 'sael'. Did you mean 'seal'?"),
            (["keys", "lst"], "There is no command 'lst'. Did you mean 'list'?"),
            (["help", "inspct"], "There is no command 'inspct'. Did you mean 'inspect'?"),
            (["keygne", "--use", "sig"], "There is no command 'keygne'. Did you mean 'keygen'?"),
            (["nosuch"], "There is no command 'nosuch'."),
            (["keys"], "A command is missing after 'keys'."),
        ])
    func anUnknownCommandIsReported(arguments: [String], message: String) throws {
        let run = try tool.run(all: arguments)
        #expect(run.status == 64 && run.output.isEmpty)
        #expect(
            run.errors.hasPrefix(
                "pushcrypt: error: \(message)\npushcrypt: hint: the commands are "), "\(run.errors)"
        )
    }

    @Test(
        "Help is printed at any width of the terminal",
        arguments: ["-1", "0", "1", "26", "30", "500"])
    func helpIsPrintedAtAnyWidth(columns: String) throws {
        let run = try tool.run(all: ["help", "seal"], environment: ["COLUMNS": columns])
        #expect(run.status == 0 && run.text.contains("--sign-with"))
    }

    @Test(
        "The version is printed in every common way",
        arguments: [["version"], ["-V"], ["--version"]])
    func theVersionIsPrinted(arguments: [String]) throws {
        let run = try tool.run(all: arguments)
        // Each process measures which library is faster.
        let version =
            #/0\.1\.0 \(libsodium [0-9.]+, X25519: [^:()]+, traits: [A-Za-z0-9 ]+(, commit \w+)?\)\n/#
        #expect(run.status == 0 && run.text.wholeMatch(of: version) != nil && run.errors.isEmpty)
    }

    @Test(
        "A lifetime is a number and a unit, 1 second to 30 days",
        arguments: LongRun.cases(["7", "1w", "1.5h", "5M", "", "0s", "31d"], usually: 2))
    func aLifetimeHasAUnit(lifetime: String) throws {
        try tool.createDevice()
        let seal = ["seal", "--to", "device.jwk", "--anonymous", "--lifetime"]
        let run = try tool.run(all: seal + [lifetime], input: #"{"aps":{"alert":"a"}}"#)
        #expect(run.status == 64 && run.output.isEmpty)
        #expect(
            run.errors.contains("Give a number and a unit: 90s, 15m, 12h or 7d.")
                || run.errors.contains("30 days"),
            "\(run.errors)")
        #expect(try tool.run(all: seal + ["30d"], input: #"{"aps":{"alert":"a"}}"#).status == 0)
    }

    @Test(
        "A public key instead of a keyring is recognized, with any mode", arguments: [0o644, 0o600])
    func aPublicKeyIsNotAKeyring(mode: Int) throws {
        try tool.createDevice()
        try tool.setMode(mode, of: "device.jwk")
        for command in [
            ["open", "--anyone", "--keyring", "device.jwk"],
            ["keys", "list", "--keyring", "device.jwk"],
            ["keygen", "--keyring", "device.jwk"],
            ["seal", "--to", "device.jwk", "--sign-with", "device.jwk"],
        ] {
            let run = try tool.run(all: command, input: #"{"aps":{"alert":"a"}}"#)
            #expect(run.status == 1 && run.output.isEmpty)
            #expect(
                run.errors.contains("device.jwk: This is a public key. Name the keyring"),
                "\(run.errors)")
            #expect(
                run.errors.contains("[wrong-key-type]") && !run.errors.contains("chmod"),
                "\(run.errors)")
        }
    }

    @Test("keygen --new fails if the keyring exists")
    func aNewKeyringReplacesNothing() throws {
        #expect(try tool.run("keygen", "--new", "--keyring", "ring.jwks").status == 0)
        let before = try tool.read("ring.jwks")
        let run = try tool.run("keygen", "--new", "--keyring", "ring.jwks")
        #expect(
            run.status == 1 && run.output.isEmpty && run.errors.contains("[file-exists]"),
            "\(run.errors)")
        #expect(try tool.read("ring.jwks") == before)
        #expect(try tool.run("keygen", "--new", "--pending", "--keyring", "ring.jwks").status == 64)
    }

    @Test("open --anonymous accepts any sender")
    func anonymousAcceptsAnyone() throws {
        try tool.createDevice()
        let payload = #"{"aps":{"alert":"a"}}"#
        let sealed = try tool.run("seal", "--to", "device.jwk", "--anonymous", input: payload).text
        #expect(
            try tool.run("open", "--anonymous", "--keyring", "device.jwks", input: sealed).text
                == payload)
        #expect(
            try tool.run("preview", "--anonymous", "--keyring", "device.jwks", input: sealed).text
                == "a\n")
        #expect(
            try tool.run("open", input: sealed).errors.contains(
                "or '--anyone' to accept any sender"))
    }

    @Test(
        "A missing keyring hints at keygen",
        arguments: [["open", "--anyone"], ["keys", "list"], ["keygen", "--pending"]])
    func aMissingKeyringHintsAtKeygen(command: [String]) throws {
        let run = try tool.run(all: command)
        #expect(run.status == 1)
        #expect(
            run.errors.contains("restore it, or create one with 'pushcrypt keygen'."),
            "\(run.errors)")
    }

    @Test("An implausible clock hints at the commands that name a key")
    func anImplausibleClockGivesAHint() throws {
        let keys = try KeyDirectory()
        _ = try keys.create()
        try keys.age(days: 800)
        let run = try keys.run("prune")
        #expect(
            run.errors.contains(
                "[implausible-clock]\npushcrypt: hint: if the clock is right, name the key: "))
    }
}
