import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// Tests of every command.
@Suite(.toolThreads) struct ToolTests {
    private let tool: Tool

    init() throws {
        tool = try Tool()
    }

    @Test("Help and version go to standard output") func helpAndVersionGoToStandardOutput() throws {
        for arguments in [["--help"], ["help"], ["help", "seal"], ["seal", "--help"], []] {
            let run = try tool.run(all: arguments)
            #expect(run.status == 0, "\(arguments)")
            #expect(run.text.contains("USAGE: pushcrypt"), "\(arguments)")
            #expect(run.errors.isEmpty, "\(arguments)")
        }
        #expect(try tool.run("--version").text.hasPrefix("0.1.0 (libsodium "))
    }

    @Test("The plugin that creates the man page gets all commands") func theManPageHasAllCommands()
        throws
    {
        let dump = try JSONValue(parsing: Array(try tool.run("--experimental-dump-help").output))
        let commands = try #require(dump["command"]?["subcommands"]?.arrayValue).map {
            $0["commandName"]
        }
        #expect(
            commands == [
                "keygen", "keys", "registration", "seal", "send", "open", "preview", "inspect",
                "lint", "doctor", "testserver", "attach", "xcode", "demo", "help",
            ])
    }

    @Test(
        "A missing or unknown command is wrong usage",
        arguments: [
            ["keys"], ["xcode"], ["help", "nosuch"], ["help", "keys", "nosuch"], ["nosuch"],
            ["keys", "nosuch"],
        ])
    func aMissingCommandIsWrongUsage(_ arguments: [String]) throws {
        let run = try tool.run(all: arguments)
        #expect(run.status == 64 && run.output.isEmpty)
        #expect(run.errors.hasPrefix("pushcrypt: error: "))
    }

    @Test("No secret of a command line is repeated", .thorough)
    func noSecretOfACommandLineIsRepeated() throws {
        try tool.createDevice()
        // A key in 4096 begins with "-h", which is the option for help.
        let ring = try tool.read("device.jwks").replacing(#""d":"-"#, with: #""d":"a"#)
        let secret = String(try #require(ring.components(separatedBy: #""d":""#).last?.prefix(43)))
        for (arguments, word) in [
            (["keys", "public", ring], secret),
            (["seal", "--to", "a", "--anonymous", "b", ring], secret),
            (["keys", "public", secret], secret), ([secret], secret), (["keys", ring], secret),
            (["keygen", "--protect", "hunter2"], "hunter2"),
            (["keys", "list", "--passphrase-fd", "hunter2"], "hunter2"),
            (["keys", "list", "--passphrase-fd=hunter2"], "hunter2"),
            (["keys", "passphrase", "hunter2"], "hunter2"),
        ] {
            let run = try tool.run(all: arguments)
            #expect(
                run.status == 64 && !run.errors.contains(word) && run.output.isEmpty,
                "\(run.errors)")
        }
        #expect(try tool.run("keys", "list", "extra").errors.contains("'extra'"))
    }

    @Test("A name that is not UTF-8 is refused") func aNameThatIsNotUTF8IsRefused() throws {
        for number in ["377", "376"] {
            let command = [
                "/bin/sh", "-c", "exec \"$0\" \"$@\" --keyring \"$(printf 'k\\\(number).jwks')\"",
            ]
            let run = try tool.run(all: ["keygen"], through: command)
            #expect(run.status == 64 && run.errors.contains("isn't UTF-8"), "\(run.errors)")
        }
        let variable = [
            "/bin/sh", "-c", "PUSHCRYPT_KEYRING=\"$(printf 'k\\377.jwks')\" exec \"$0\" \"$@\"",
        ]
        #expect(try tool.run(all: ["keygen"], through: variable).status == 64)
        let output = ["/bin/sh", "-c", "exec \"$0\" \"$@\" -o \"$(printf 'o\\377')\""]
        #expect(try tool.run(all: ["inspect"], input: #"{"aps":{}}"#, through: output).status == 64)
        #expect(try tool.names.isEmpty)
    }

    @Test(
        "Every command is explained with an example", .thorough,
        arguments: [
            (
                "",
                [
                    "keygen", "keys", "seal", "send", "open", "preview", "inspect", "lint", "xcode",
                    "demo",
                ]
            ),
            ("keygen", ["--use"]),
            ("keys", ["list", "public", "promote", "retire", "prune", "passphrase", "check"]),
            ("seal", ["--truncate", "--placeholder-loc-key", "liveactivity"]),
            ("open", ["--signed-by"]),
            ("preview", ["--strings"]), ("inspect", ["--json"]),
            ("lint", ["--info-plist", "--strings", "--collapse-id", "--rules"]),
            ("demo", ["--full"]),
            ("registration", ["--signed-by"]), ("testserver", ["--port", "key.p8"]),
            ("keys list", []), ("keys public", []), ("keys promote", []), ("keys retire", []),
            ("keys prune", []),
            ("keys passphrase", []), ("keys check", []), ("xcode", ["write", "check"]),
            ("xcode check", ["--payload"]),
            ("xcode write", ["--bundle-id", "--app-group", "--keychain-group", "--force"]),
        ])
    func everyCommandIsExplained(command: String, words: [String]) throws {
        let run = try tool.run(all: ["help"] + command.split(separator: " ").map(String.init))
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.text.contains("USAGE: pushcrypt \(command)"))
        let text = run.text.replacing("\n", with: " ")
        for word in words { #expect(text.contains(" \(word)"), "\(word)") }
        #expect(text.contains("Example: pushcrypt \(command)"))
    }

    @Test(
        "Output that cannot be written is a failure",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func outputThatCannotBeWrittenIsAFailure() throws {
        for arguments in [["demo"], ["--help"], ["keygen", "--keyring", "a.jwks"]] {
            let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
            #expect(try tool.run(all: arguments, output: full).status == 1, "\(arguments)")
        }
    }
}
