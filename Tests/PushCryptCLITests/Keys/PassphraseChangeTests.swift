import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// `keys passphrase` adds, changes and removes the passphrase of a keyring, and keeps its keys.
@Suite(.toolThreads, .longRun) struct PassphraseChangeTests {
    private let keys: KeyDirectory

    init() throws {
        keys = try KeyDirectory()
        for (name, text) in [
            ("a.txt", "passphrase a\n"), ("b.txt", "passphrase b\n"), ("empty.txt", "\n"),
        ] {
            try keys.tool.write(text, to: name, mode: 0o600)
        }
    }

    @Test("A passphrase is added, changed and removed, and the keys stay the same")
    func aPassphraseIsAddedChangedAndRemoved() throws {
        let key = try keys.create()
        let plain = try keys.tool.read(KeyDirectory.name)

        let added = try keys.run("passphrase", "--new-passphrase-file", "a.txt")
        #expect(added.status == 0 && added.output.isEmpty, "\(added.errors)")
        #expect(added.errors == "pushcrypt: hint: added the passphrase of device.jwks\n")
        let protected = try keys.tool.read(KeyDirectory.name)
        #expect(protected.hasPrefix(#"{"protection":"#) && !protected.contains(#""d":"#))

        let changed = try keys.run(
            "passphrase", "--passphrase-file", "a.txt", "--new-passphrase-file", "b.txt")
        #expect(changed.errors == "pushcrypt: hint: changed the passphrase of device.jwks\n")
        #expect(
            try keys.run("public", "--passphrase-file", "a.txt").errors.contains(
                "[wrong-passphrase]"))
        #expect(try keys.run("public", "--passphrase-file", "b.txt").text == key.jwk + "\n")

        let removed = try keys.run("passphrase", "--passphrase-file", "b.txt", "--remove")
        #expect(removed.status == 0 && removed.errors.contains("removed the passphrase"))
        #expect(try keys.tool.read(KeyDirectory.name) == plain)
        #expect(try keys.tool.mode(KeyDirectory.name) == 0o600)
        let again = try keys.run("passphrase", "--remove")
        #expect(again.status == 0 && again.errors.contains("nothing was changed"))
    }

    @Test("The passphrase of signing keys is removed and added")
    func signingKeysStaySigningKeys() throws {
        let key = try keys.tool.createServer()
        let plain = try keys.tool.read("server.jwks")
        try keys.tool.protect("server.jwks", with: "passphrase a", SigningKey.self)
        let passphrase = ["keys", "passphrase", "--keyring", "server.jwks"]
        let removed = try keys.tool.run(
            all: passphrase + ["--passphrase-file", "a.txt", "--remove"])
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(try keys.tool.read("server.jwks") == plain)
        // From a descriptor.
        #expect(
            try keys.tool.run(
                all: passphrase + ["--new-passphrase-fd", "0"], input: "passphrase b"
            ).status == 0)
        // The old passphrase is checked before the new one is read, and the new one is read once.
        let wrong = ["--passphrase-file", "a.txt", "--new-passphrase-fd", "0"]
        let unread = try keys.tool.run(all: passphrase + wrong, input: "passphrase c")
        #expect(
            unread.status == 1 && unread.errors.contains("[wrong-passphrase]"), "\(unread.errors)")
        let right = ["--passphrase-file", "b.txt", "--new-passphrase-fd", "0"]
        #expect(try keys.tool.run(all: passphrase + right, input: "passphrase b").status == 0)
        let list = ["keys", "list", "--keyring", "server.jwks", "--passphrase-file", "b.txt"]
        #expect(try keys.tool.run(all: list).text.contains("\(key.keyID)  sig  primary"))
    }

    @Test("Without the old passphrase, or with an empty new one, nothing changes")
    func nothingChangesWithoutTheOldPassphrase() throws {
        try keys.createProtected(with: "passphrase a")
        let before = try keys.tool.read(KeyDirectory.name)
        for (options, code) in [
            (["--passphrase-file", "b.txt", "--remove"], "wrong-passphrase"),
            (["--passphrase-file", "b.txt", "--new-passphrase-file", "a.txt"], "wrong-passphrase"),
            (
                ["--passphrase-file", "a.txt", "--new-passphrase-file", "empty.txt"],
                "passphrase-required"
            ),
            (
                ["--passphrase-file", "a.txt", "--new-passphrase-file", "missing.txt"],
                "file-not-found"
            ),
        ] {
            let run = try keys.tool.run(
                all: ["keys", "passphrase", "--keyring", KeyDirectory.name] + options)
            #expect(
                run.status == 1 && run.errors.contains("[\(code)]"), "\(options): \(run.errors)")
            let file = ["empty.txt", "missing.txt"].first { options.contains($0) }
            let names =
                file.map { "error: --new-passphrase-file \($0)" } ?? "error: keyring device.jwks: "
            #expect(run.errors.contains(names), "\(run.errors)")
            #expect(!run.errors.contains("passphrase a") && !run.errors.contains("passphrase b"))
        }
        #expect(try keys.tool.read(KeyDirectory.name) == before)
    }

    @Test("Contradicting options are refused")
    func contradictingOptionsAreRefused() throws {
        _ = try keys.create()
        let before = try keys.tool.read(KeyDirectory.name)
        for options in [
            ["--remove", "--new-passphrase-file", "a.txt"],
            ["--new-passphrase-file", "a.txt", "--new-passphrase-fd", "0"],
            ["--passphrase-fd", "0", "--new-passphrase-fd", "0"], ["--new-passphrase-fd", "1"],
        ] {
            let run = try keys.tool.run(
                all: ["keys", "passphrase", "--keyring", KeyDirectory.name] + options)
            #expect(run.status == 64 && run.output.isEmpty, "\(options): \(run.errors)")
        }
        let useless = try keys.run("passphrase", "--passphrase-file", "a.txt")
        #expect(useless.status == 1 && useless.errors.contains("'--new-passphrase-file'"))
        #expect(try keys.tool.read(KeyDirectory.name) == before)
    }
}
