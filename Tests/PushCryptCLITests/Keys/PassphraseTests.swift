import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// Keyrings under a passphrase, which comes from a file, a descriptor or the terminal.
@Suite struct PassphraseTests {
    private let keys: KeyFolder
    private static let passphrase = "correct horse battery staple"

    init() throws {
        keys = try KeyFolder()
        try secret(Self.passphrase + "\n", "passphrase.txt")
        try secret("another\n", "wrong.txt")
    }

    private func secret(_ text: String, _ name: String) throws {
        try keys.tool.write(text, to: name)
        let path = keys.tool.folder.appendingPathComponent(name).path
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    @Test("A protected keyring stays protected and opens") func aProtectedKeyringStaysProtectedAndOpens() throws {
        let from = ["--passphrase-file", "passphrase.txt"]
        let first = try keys.make("--protect", from[0], from[1])
        let file = try keys.tool.read(KeyFolder.name)
        #expect(file.hasPrefix(#"{"protection":{"kdf":"argon2id","#))
        #expect(!file.contains(#""d":"#) && !file.contains("primary"))
        let second = try keys.make(from[0], from[1])
        #expect(try keys.tool.read(KeyFolder.name).hasPrefix(#"{"protection""#))

        let push = try Sealer(.anonymous).seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: first)
        try keys.tool.write(String(decoding: push.payload, as: UTF8.self), to: "push.json")
        let open = ["open", "--keyring", KeyFolder.name, "--anyone", "push.json"]
        let opened = try keys.tool.run(all: open + from)
        #expect(opened.text == #"{"aps":{"alert":"a"}}"#)

        let list = try keys.run("list", from[0], from[1])
        #expect(list.text.contains("\(second.keyID)  enc  primary"))
        for run in [opened, list, try keys.run("check", from[0], from[1])] {
            #expect(run.status == 0)
            #expect(!run.text.contains(Self.passphrase) && !run.errors.contains(Self.passphrase))
        }
    }

    @Test("Without the right passphrase nothing changes") func withoutTheRightPassphraseNothingHappens() throws {
        _ = try keys.make("--protect", "--passphrase-file", "passphrase.txt")
        let before = try keys.tool.read(KeyFolder.name)
        for command in [["keygen"], ["keys", "list"], ["keys", "check"]] {
            let common = command + ["--keyring", KeyFolder.name]
            let wrong = try keys.tool.run(all: common + ["--passphrase-file", "wrong.txt"])
            #expect(wrong.status == 1)
            #expect(wrong.errors.contains("[wrong-passphrase]") && !wrong.errors.contains("another key"))
            #expect(wrong.output.isEmpty)
        }
        #expect(try keys.tool.read(KeyFolder.name) == before)
    }

    @Test("A changed character is detected") func aFlippedCharacterIsNoKeyringAnyMore() throws {
        _ = try keys.make("--protect", "--passphrase-file", "passphrase.txt")
        let text = try keys.tool.read(KeyFolder.name)
        let broken = text.replacing(#""operations":3"#, with: #""operations":1"#)
        #expect(broken != text)
        try broken.write(toFile: keys.path, atomically: false, encoding: .utf8)
        #expect(try keys.run("list", "--passphrase-file", "passphrase.txt").errors.contains("[wrong-passphrase]"))
        try text.replacing(#""memory":268435456"#, with: #""memory":9999999999"#)
            .write(toFile: keys.path, atomically: false, encoding: .utf8)
        #expect(try keys.run("list", "--passphrase-file", "passphrase.txt").errors.contains("[malformed-keyring]"))
    }

    @Test("A passphrase file that others may read is refused") func aPassphraseFileThatOthersMayReadIsRefused() throws {
        let path = keys.tool.folder.appendingPathComponent("passphrase.txt").path
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let arguments = ["keygen", "--keyring", KeyFolder.name, "--protect", "--passphrase-file", "passphrase.txt"]
        let run = try keys.tool.run(all: arguments)
        #expect(run.status == 1)
        #expect(run.errors.contains("[insecure-file]"))
        #expect(try !keys.tool.names.contains(KeyFolder.name))
    }

    @Test("Standard input is accepted as a descriptor") func standardInputIsADescriptorToo() throws {
        let arguments = ["keygen", "--keyring", KeyFolder.name, "--protect", "--passphrase-fd", "0"]
        #expect(try keys.tool.run(all: arguments, input: Self.passphrase).status == 0)
        #expect(try keys.run("check", "--passphrase-file", "passphrase.txt").status == 0)
        let empty = try keys.tool.run(all: arguments, input: "\n")
        #expect(empty.status == 1 && empty.errors.contains("[passphrase-required]"))
        let wrong = try keys.tool.run(all: ["keys", "list", "--passphrase-fd", "1"])
        #expect(wrong.status == 64)
    }

    @Test(
        "The terminal asks, and does not show the passphrase",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "script is not installed"))
    func theTerminalAsksAndShowsNothing() throws {
        let made = try terminal(
            "keygen --protect --keyring device.jwks", typing: [Self.passphrase, Self.passphrase])
        #expect(made.contains("Passphrase for device.jwks: ") && made.contains("The same again: "))
        #expect(!made.contains("horse"))
        let listed = try terminal("keys list --keyring device.jwks", typing: [Self.passphrase])
        #expect(listed.contains("primary") && !listed.contains("horse"))
        let different = try terminal("keygen --protect --keyring other.jwks", typing: ["a", "b"])
        #expect(different.contains("[wrong-passphrase]"))
        #expect(try !keys.tool.names.contains("other.jwks"))
    }

    @Test("A passphrase for an unprotected keyring is refused or warned of")
    func nobodyIsLeftToBelieveThatAKeyringIsProtected() throws {
        let from = ["--passphrase-file", "passphrase.txt"]
        let forgotten = try keys.tool.run(all: ["keygen", "--keyring", KeyFolder.name] + from)
        #expect(forgotten.status == 1 && forgotten.errors.contains("Add '--protect'"))
        #expect(try !keys.tool.names.contains(KeyFolder.name))
        _ = try keys.make()
        let before = try keys.tool.read(KeyFolder.name)
        let late = try keys.tool.run(all: ["keygen", "--protect", "--keyring", KeyFolder.name] + from)
        #expect(late.status == 1 && late.errors.contains("not under a passphrase") && late.output.isEmpty)
        #expect(try keys.tool.read(KeyFolder.name) == before)
        #expect(
            try keys.run("check", from[0], from[1]).errors.contains("warning: device.jwks is not under a passphrase"))
        let both = try keys.tool.run(all: ["keygen", "--protect", "--pending", "--keyring", KeyFolder.name] + from)
        #expect(both.status == 64)
    }

    @Test("A protected keyring signs") func aProtectedKeyringSigns() throws {
        let from = ["--passphrase-file", "passphrase.txt"]
        let sig = ["--use", "sig", "--keyring", "server.jwks"]
        let signer = try keys.tool.run(all: ["keygen", "--protect"] + sig + from)
        try keys.tool.write(signer.text, to: "server.jwk")
        try keys.tool.write(#"{"aps":{"alert":"a"}}"#, to: "payload.json")
        let device = try keys.make()
        let seal = ["seal", "--to", Base64URL.encode(device.rawRepresentation), "payload.json"]
        let sign = ["--sign-with", "server.jwks"]

        let sealed = try keys.tool.run(all: seal + sign + from)
        #expect(sealed.status == 0 && sealed.errors.isEmpty, "\(sealed.errors)")
        let open = ["open", "--keyring", KeyFolder.name, "--signed-by", "server.jwk"]
        #expect(try keys.tool.run(all: open, input: sealed.text).text == #"{"aps":{"alert":"a"}}"#)

        let wrong = try keys.tool.run(all: seal + sign + ["--passphrase-file", "wrong.txt"])
        #expect(wrong.status == 1 && wrong.errors.contains("--sign-with server.jwks: "), "\(wrong.errors)")
        #expect(wrong.errors.contains("[wrong-passphrase]") && wrong.output.isEmpty)
        let useless = try keys.tool.run(all: seal + ["--anonymous"] + from)
        #expect(useless.status == 64 && useless.errors.contains("'--sign-with'"), "\(useless.errors)")
    }

    @Test("A useless passphrase gives a warning") func aPassphraseForNothingIsNoticed() throws {
        let device = try keys.make()
        try keys.tool.write(#"{"aps":{"alert":"a"}}"#, to: "payload.json")
        _ = try keys.tool.run("keygen", "--use", "sig", "--keyring", "server.jwks")
        let from = ["--passphrase-file", "passphrase.txt"]
        let seal = ["seal", "--to", Base64URL.encode(device.rawRepresentation), "--sign-with", "server.jwks"]
        for command in [["keygen", "--keyring", KeyFolder.name], seal + ["payload.json"]] {
            let run = try keys.tool.run(all: command + from)
            #expect(run.status == 0 && run.errors.contains("is not under a passphrase"), "\(run.errors)")
        }
    }

    /// Another process creates the keyring without a passphrase while a user types one for it.
    @Test("keygen --protect does not rotate an unprotected keyring of another process")
    func aKeyringThatIsToBeProtectedIsNotRotatedUnprotected() throws {
        let path = try Tool.executable.path
        let script = "(sleep 1; \"\(path)\" keygen --keyring device.jwks >/dev/null; echo secret)"
        let command = "\(script) | \"\(path)\" keygen --protect --passphrase-fd 0 --keyring device.jwks"
        let run = try keys.tool.run(all: [], through: ["/bin/sh", "-c", "\(command); exit $?"])
        #expect(run.status == 1 && run.errors.contains("meanwhile"), "\(run.errors)")
        #expect(try keys.ring().generation == 1)
    }

    /// Typing must not block other processes.
    @Test("The question comes before the lock") func theQuestionComesBeforeTheLock() throws {
        _ = try keys.make("--protect", "--passphrase-file", "passphrase.txt")
        let path = try Tool.executable.path
        let slow = "sleep 60 | \"\(path)\" keygen --use enc --passphrase-fd 0 --keyring device.jwks"
        let quick = "\"\(path)\" keygen --keyring device.jwks --passphrase-file passphrase.txt"
        // In a group of its own, which is ended as a whole.
        let group = "setsid sh -c '\(slow)' >/dev/null 2>&1 & group=$!"
        let command = "\(group); sleep 2; timeout -s KILL 40 \(quick); status=$?; kill -KILL -$group; exit $status"
        #expect(try keys.tool.run(all: [], through: ["/bin/sh", "-c", command]).status == 0)
        #expect(try keys.run("check", "--passphrase-file", "passphrase.txt").errors.contains("generation 2"))
    }

    @Test("A pipe is not accepted as a keyring to sign with") func aPipeIsNoKeyringToSignWith() throws {
        let device = try keys.make()
        try keys.tool.write(#"{"aps":{"alert":"a"}}"#, to: "payload.json")
        #expect(unsafe mkfifo(keys.tool.folder.appendingPathComponent("pipe").path, 0o600) == 0)
        let seal = ["seal", "--to", Base64URL.encode(device.rawRepresentation), "--sign-with", "pipe", "payload.json"]
        let run = try keys.tool.run(all: seal, through: ["/usr/bin/env", "timeout", "-s", "KILL", "30"])
        #expect(run.status == 1 && run.errors.contains("[insecure-file]"), "\(run.errors)")
    }

    @Test("Standard input is not read twice") func standardInputIsNotReadTwice() throws {
        let zero = ["--passphrase-fd", "0"]
        for command in [
            ["open", "--anyone"], ["preview", "--anyone"], ["seal", "--to", "device.jwk", "--sign-with", "a.jwks"],
        ] {
            let run = try keys.tool.run(all: command + zero, input: Self.passphrase)
            #expect(run.status == 64 && run.errors.contains("Standard input cannot be"), "\(run.errors)")
        }
    }

    @Test("A missing passphrase file is named") func aMissingPassphraseFileIsNamed() throws {
        _ = try keys.make("--protect", "--passphrase-file", "passphrase.txt")
        let before = try keys.tool.read(KeyFolder.name)
        let run = try keys.tool.run("keygen", "--keyring", KeyFolder.name, "--passphrase-file", "no.txt")
        #expect(run.status == 1 && run.errors.contains("--passphrase-file: no.txt does not exist"))
        let closed = try keys.run("list", "--passphrase-fd", "9")
        #expect(closed.status == 1 && closed.errors.contains("--passphrase-fd: ") && closed.errors.contains("not open"))
        #expect(try keys.tool.read(KeyFolder.name) == before)
    }

    /// Ctrl-C at the question must give the terminal its echo back.
    @Test(
        "An interruption restores the echo",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "script is not installed"))
    func anInterruptionGivesTheEchoBack() throws {
        _ = try keys.make("--protect", "--passphrase-file", "passphrase.txt")
        // The signal goes to the shell, too, which without the trap might not live to tell.
        let shown = try terminal(
            "keys list --keyring device.jwks; echo status $?; stty -a", after: "trap : INT; ",
            typing: ["\u{3}"], ending: "")
        #expect(shown.contains("Interrupted before") && shown.contains("status 1"), "\(shown)")
        #expect(shown.contains(" echo ") && !shown.contains("-echo "), "\(shown)")
    }

    /// `script` gives the tool a terminal of its own, and types what it reads.
    private func terminal(
        _ arguments: String, after preparation: String = "", typing lines: [String], ending: String = "\n"
    ) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/script")
        process.arguments = ["-qec", "\(preparation)\"\(try Tool.executable.path)\" \(arguments)", "/dev/null"]
        // It runs the shell that this names, and shells differ in what a signal does to them.
        process.environment = ProcessInfo.processInfo.environment.merging(["SHELL": "/bin/sh"]) { $1 }
        process.currentDirectoryURL = keys.tool.folder
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // A tool that waits for ever must fail the test, not hold it up.
        let watch = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 120, execute: watch)
        defer { watch.cancel() }
        var shown = Data()
        // What is typed before the question is thrown away with the echo.
        for line in lines {
            while !shown.hasSuffix(": ") {
                let more = output.fileHandleForReading.availableData
                guard !more.isEmpty else { break }
                shown += more
            }
            try input.fileHandleForWriting.write(contentsOf: Data((line + ending).utf8))
            shown += Data("\n".utf8)
        }
        shown += output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: shown, as: UTF8.self)
    }
}

extension Data {
    fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count) == Data(text.utf8) }
}
