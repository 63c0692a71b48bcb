import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// Keyrings under a passphrase, which comes from a file, a descriptor or the terminal.
@Suite(.toolThreads, .thorough) struct PassphraseTests {
    private let keys: KeyDirectory
    private static let passphrase = "correct horse battery staple"

    init() throws {
        keys = try KeyDirectory()
        try keys.tool.write(Self.passphrase + "\n", to: "passphrase.txt", mode: 0o600)
        try keys.tool.write("another\n", to: "wrong.txt", mode: 0o600)
    }

    @Test("A protected keyring stays protected and opens", .longRun)
    func aProtectedKeyringStaysProtectedAndOpens()
        throws
    {
        let from = ["--passphrase-file", "passphrase.txt"]
        let keygen = ["keygen", "--keyring", KeyDirectory.name] + from
        let first = try RecipientPublicKey(parsing: keys.tool.run(all: keygen + ["--protect"]).text)
        let file = try keys.tool.read(KeyDirectory.name)
        #expect(
            file.hasPrefix(#"{"protection":{"kdf":"argon2id","operations":3,"memory":268435456,"#))
        #expect(!file.contains(#""d":"#) && !file.contains("primary"))
        let second = try RecipientPublicKey(parsing: keys.tool.run(all: keygen).text)
        #expect(try keys.tool.read(KeyDirectory.name).hasPrefix(#"{"protection""#))

        let push = try Sealer(.anonymous).seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: first)
        try keys.tool.write(String(decoding: push.payload, as: UTF8.self), to: "push.json")
        let open = ["open", "--keyring", KeyDirectory.name, "--anyone", "push.json"]
        let opened = try keys.tool.run(all: open + from)
        #expect(opened.text == #"{"aps":{"alert":"a"}}"#)

        let list = try keys.run("list", from[0], from[1])
        #expect(list.text.contains("\(second.keyID)  enc  primary"))
        for run in [opened, list] {
            #expect(run.status == 0)
            #expect(!run.text.contains(Self.passphrase) && !run.errors.contains(Self.passphrase))
        }
    }

    @Test("Without the right passphrase nothing changes")
    func withoutTheRightPassphraseNothingChanges() throws {
        try keys.createProtected(with: Self.passphrase)
        let before = try keys.tool.read(KeyDirectory.name)
        for command in [["keygen"], ["keys", "list"], ["keys", "check"]] {
            let common = command + ["--keyring", KeyDirectory.name]
            let wrong = try keys.tool.run(all: common + ["--passphrase-file", "wrong.txt"])
            #expect(wrong.status == 1)
            #expect(
                wrong.errors.contains("[wrong-passphrase]") && !wrong.errors.contains("another key")
            )
            #expect(wrong.output.isEmpty)
        }
        #expect(try keys.tool.read(KeyDirectory.name) == before)
    }

    @Test("A changed character is detected") func aChangedCharacterIsDetected() throws {
        try keys.createProtected(with: Self.passphrase)
        let text = try keys.tool.read(KeyDirectory.name)
        let broken = text.replacing(#""operations":1"#, with: #""operations":2"#)
        #expect(broken != text)
        try broken.write(toFile: keys.path, atomically: false, encoding: .utf8)
        #expect(
            try keys.run("list", "--passphrase-file", "passphrase.txt").errors.contains(
                "[wrong-passphrase]"))
        try text.replacing(#""memory":8192"#, with: #""memory":9999999999"#)
            .write(toFile: keys.path, atomically: false, encoding: .utf8)
        #expect(
            try keys.run("list", "--passphrase-file", "passphrase.txt").errors.contains(
                "[malformed-keyring]"))
    }

    @Test("A passphrase file that others may read is refused")
    func aPassphraseFileThatOthersMayReadIsRefused() throws {
        try keys.tool.setMode(0o644, of: "passphrase.txt")
        let arguments = [
            "keygen", "--keyring", KeyDirectory.name, "--protect", "--passphrase-file",
            "passphrase.txt",
        ]
        let run = try keys.tool.run(all: arguments)
        #expect(run.status == 1)
        #expect(
            run.errors.hasPrefix("pushcrypt: error: --passphrase-file: Other users"),
            "\(run.errors)")
        #expect(
            run.errors.contains("Run: chmod 600 passphrase.txt [insecure-file]"), "\(run.errors)")
        #expect(try !keys.tool.names.contains(KeyDirectory.name))
    }

    @Test("Standard input is accepted as a descriptor") func standardInputIsADescriptor() throws {
        try keys.createProtected(with: Self.passphrase)
        let check = ["keys", "check", "--keyring", KeyDirectory.name, "--passphrase-fd"]
        #expect(try keys.tool.run(all: check + ["0"], input: Self.passphrase).status == 0)
        let empty = try keys.tool.run(all: check + ["0"], input: "\n")
        #expect(empty.status == 1 && empty.errors.contains("[passphrase-required]"))
        #expect(try keys.tool.run(all: check + ["1"]).status == 64)
    }

    @Test("The terminal asks, and does not show the passphrase", .terminal)
    func theTerminalAsksAndDoesNotShowThePassphrase() throws {
        let tool = "\"\(try Tool.executable.path)\""
        let created = try keys.tool.runOnTerminal(
            "\(tool) keygen --protect --keyring device.jwks",
            typing: [Self.passphrase + "\n", Self.passphrase + "\n"])
        #expect(
            created.contains("Passphrase for device.jwks: ") && created.contains("The same again: ")
        )
        #expect(!created.contains("horse"))
        let listed = try keys.tool.runOnTerminal(
            "\(tool) keys list --keyring device.jwks", typing: [Self.passphrase + "\n"])
        #expect(listed.contains("primary") && !listed.contains("horse"))
        let different = try keys.tool.runOnTerminal(
            "\(tool) keygen --protect --keyring other.jwks", typing: ["a\n", "b\n"])
        #expect(different.contains("[wrong-passphrase]"))
        #expect(try !keys.tool.names.contains("other.jwks"))
    }

    @Test("A passphrase for an unprotected keyring is refused or warned of")
    func aPassphraseForAnUnprotectedKeyringIsRefused() throws {
        let from = ["--passphrase-file", "passphrase.txt"]
        let forgotten = try keys.tool.run(all: ["keygen", "--keyring", KeyDirectory.name] + from)
        #expect(forgotten.status == 1 && forgotten.errors.contains("Add '--protect'"))
        #expect(try !keys.tool.names.contains(KeyDirectory.name))
        _ = try keys.create()
        let before = try keys.tool.read(KeyDirectory.name)
        let late = try keys.tool.run(
            all: ["keygen", "--protect", "--keyring", KeyDirectory.name] + from)
        #expect(
            late.status == 1 && late.errors.contains("has no passphrase") && late.output.isEmpty)
        #expect(try keys.tool.read(KeyDirectory.name) == before)
        #expect(
            try keys.run("check", from[0], from[1]).errors.contains(
                "warning: device.jwks has no passphrase"))
        let both = try keys.tool.run(
            all: ["keygen", "--protect", "--pending", "--keyring", KeyDirectory.name] + from)
        #expect(both.status == 64)
    }

    @Test("A protected keyring signs") func aProtectedKeyringSigns() throws {
        let from = ["--passphrase-file", "passphrase.txt"]
        try keys.tool.createServer()
        try keys.tool.protect("server.jwks", with: Self.passphrase, SigningKey.self)
        try keys.tool.write(#"{"aps":{"alert":"a"}}"#, to: "payload.json")
        let device = try keys.create()
        let seal = ["seal", "--to", Base64URL.encode(device.rawRepresentation), "payload.json"]
        let sign = ["--sign-with", "server.jwks"]

        let sealed = try keys.tool.run(all: seal + sign + from)
        #expect(sealed.status == 0 && sealed.errors.isEmpty, "\(sealed.errors)")
        let open = ["open", "--keyring", KeyDirectory.name, "--signed-by", "server.jwk"]
        #expect(try keys.tool.run(all: open, input: sealed.text).text == #"{"aps":{"alert":"a"}}"#)

        let wrong = try keys.tool.run(all: seal + sign + ["--passphrase-file", "wrong.txt"])
        #expect(
            wrong.status == 1 && wrong.errors.contains("--sign-with server.jwks: "),
            "\(wrong.errors)")
        #expect(wrong.errors.contains("[wrong-passphrase]") && wrong.output.isEmpty)
        let useless = try keys.tool.run(all: seal + ["--anonymous"] + from)
        #expect(
            useless.status == 64 && useless.errors.contains("'--sign-with'"), "\(useless.errors)")
    }

    @Test("A useless passphrase gives a warning") func aUselessPassphraseGivesAWarning() throws {
        let device = try keys.create()
        try keys.tool.write(#"{"aps":{"alert":"a"}}"#, to: "payload.json")
        try keys.tool.createServer()
        let from = ["--passphrase-file", "passphrase.txt"]
        let seal = [
            "seal", "--to", Base64URL.encode(device.rawRepresentation), "--sign-with",
            "server.jwks",
        ]
        for command in [["keygen", "--keyring", KeyDirectory.name], seal + ["payload.json"]] {
            let run = try keys.tool.run(all: command + from)
            #expect(run.status == 0 && run.errors.contains("has no passphrase"), "\(run.errors)")
        }
    }

    @Test("keygen --protect does not rotate an unprotected keyring of another process")
    func anUnprotectedKeyringOfAnotherProcessIsNotRotated() throws {
        let pipe = Pipe()
        let arguments = [
            "keygen", "--protect", "--passphrase-fd", "0", "--keyring", KeyDirectory.name,
        ]
        let run = try keys.tool.run(all: arguments, from: pipe) { _ in
            try askedForPassphrase(pipe)
            _ = try keys.create()
            try pipe.fileHandleForWriting.close()
        }
        #expect(run.status == 1 && run.errors.contains("meanwhile"), "\(run.errors)")
        #expect(try keys.ring().generation == 1)
    }

    // Typing must not block other processes.
    @Test("The keyring is not locked while the tool asks for the passphrase")
    func theQuestionComesBeforeTheLock() throws {
        try keys.createProtected(with: "secret")
        let lock = unsafe open(keys.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(lock) }
        let pipe = Pipe()
        let arguments = [
            "keygen", "--use", "enc", "--passphrase-fd", "0", "--keyring", KeyDirectory.name,
        ]
        let run = try keys.tool.run(all: arguments, from: pipe) { _ in
            try askedForPassphrase(pipe)
            #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
            flock(lock, LOCK_UN)
            try pipe.fileHandleForWriting.close()
        }
        #expect(run.status == 0 && run.errors.contains("generation 2"), "\(run.errors)")
    }

    #if canImport(Darwin)
    /// `FIONREAD`, a macro that Swift doesn't import.
    private static let fionread: UInt = 0x4004_667F
    #else
    private static let fionread = UInt(FIONREAD)
    #endif

    /// Types a passphrase without its end, and waits until the tool has read it.
    private func askedForPassphrase(_ pipe: Pipe) throws {
        try pipe.fileHandleForWriting.write(contentsOf: Data("secret".utf8))
        var unread: Int32 = 0
        for _ in 0..<12_000 {
            #expect(
                unsafe ioctl(pipe.fileHandleForReading.fileDescriptor, Self.fionread, &unread) == 0)
            if unread == 0 { return }
            usleep(10_000)
        }
        Issue.record("the tool does not read the passphrase")
    }

    @Test("A pipe is not accepted as a keyring to sign with") func aPipeIsNotAKeyringToSignWith()
        throws
    {
        let device = try keys.create()
        try keys.tool.write(#"{"aps":{"alert":"a"}}"#, to: "payload.json")
        #expect(unsafe mkfifo(keys.tool.path("pipe"), 0o600) == 0)
        let run = try keys.tool.run(
            "seal", "--to", Base64URL.encode(device.rawRepresentation), "--sign-with", "pipe",
            "payload.json")
        #expect(run.status == 1 && run.errors.contains("[insecure-file]"), "\(run.errors)")
    }

    @Test("Standard input is not read twice") func standardInputIsNotReadTwice() throws {
        let zero = ["--passphrase-fd", "0"]
        for command in [
            ["open", "--anyone"], ["preview", "--anyone"],
            ["seal", "--to", "device.jwk", "--sign-with", "a.jwks"],
        ] {
            let run = try keys.tool.run(all: command + zero, input: Self.passphrase)
            #expect(
                run.status == 64 && run.errors.contains("Standard input cannot be"), "\(run.errors)"
            )
        }
    }

    @Test("A missing passphrase file is named") func aMissingPassphraseFileIsNamed() throws {
        try keys.createProtected(with: Self.passphrase)
        let before = try keys.tool.read(KeyDirectory.name)
        let run = try keys.tool.run(
            "keygen", "--keyring", KeyDirectory.name, "--passphrase-file", "no.txt")
        #expect(
            run.status == 1 && run.errors.contains("error: --passphrase-file no.txt does not exist")
        )
        let closed = try keys.run("list", "--passphrase-fd", "9")
        #expect(
            closed.status == 1 && closed.errors.contains("--passphrase-fd: ")
                && closed.errors.contains("not open"))
        #expect(try keys.tool.read(KeyDirectory.name) == before)
    }

    @Test("Ctrl-C at the question restores the echo", .terminal)
    func anInterruptionRestoresTheEcho() throws {
        try keys.createProtected(with: Self.passphrase)
        // The signal goes to the shell too, which without the trap might end.
        let shown = try keys.tool.runOnTerminal(
            "trap : INT; \"\(try Tool.executable.path)\" keys list --keyring device.jwks; echo status $?; stty -a",
            typing: ["\u{3}"])
        #expect(shown.contains("Interrupted before") && shown.contains("status 1"), "\(shown)")
        #expect(shown.contains(" echo ") && !shown.contains("-echo "), "\(shown)")
    }
}
