import Foundation
import PushCryptTesting
import Testing

/// `keys passphrase` adds, changes and removes the passphrase of a keyring, and keeps its keys.
@Suite struct PassphraseChangeTests {
    private let keys: KeyFolder

    init() throws {
        keys = try KeyFolder()
        for (name, text) in [("a.txt", "passphrase a\n"), ("b.txt", "passphrase b\n"), ("empty.txt", "\n")] {
            try keys.tool.write(text, to: name)
            let path = keys.tool.folder.appendingPathComponent(name).path
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
    }

    @Test("A passphrase is added, changed and removed, and the keys stay the same", arguments: ["enc", "sig"])
    func aPassphraseIsAddedChangedAndRemoved(use: String) throws {
        let made = try keys.tool.run("keygen", "--use", use, "--keyring", KeyFolder.name)
        let plain = try keys.tool.read(KeyFolder.name)

        let added = try keys.run("passphrase", "--new-passphrase-file", "a.txt")
        #expect(added.status == 0 && added.output.isEmpty, "\(added.errors)")
        #expect(added.errors == "pushcrypt: hint: added the passphrase of device.jwks\n")
        let protected = try keys.tool.read(KeyFolder.name)
        #expect(protected.hasPrefix(#"{"protection":"#) && !protected.contains(#""d":"#))
        #expect(try keys.run("public", "--passphrase-file", "a.txt").text == made.text)

        let changed = try keys.run("passphrase", "--passphrase-file", "a.txt", "--new-passphrase-file", "b.txt")
        #expect(changed.errors == "pushcrypt: hint: changed the passphrase of device.jwks\n")
        #expect(try keys.run("public", "--passphrase-file", "a.txt").errors.contains("[wrong-passphrase]"))
        #expect(try keys.run("public", "--passphrase-file", "b.txt").text == made.text)

        let removed = try keys.run("passphrase", "--passphrase-file", "b.txt", "--remove")
        #expect(removed.status == 0 && removed.errors.contains("removed the passphrase"))
        #expect(try keys.tool.read(KeyFolder.name) == plain)
        #expect(try keys.tool.mode(KeyFolder.name) == 0o600)
        let again = try keys.run("passphrase", "--remove")
        #expect(again.status == 0 && again.errors.contains("nothing was changed"))
    }

    @Test("Without the old passphrase, or with an empty new one, nothing changes")
    func nothingChangesWithoutTheOldPassphrase() throws {
        _ = try keys.make("--protect", "--passphrase-file", "a.txt")
        let before = try keys.tool.read(KeyFolder.name)
        for (options, code) in [
            (["--passphrase-file", "b.txt", "--remove"], "wrong-passphrase"),
            (["--passphrase-file", "b.txt", "--new-passphrase-file", "a.txt"], "wrong-passphrase"),
            (["--passphrase-file", "a.txt", "--new-passphrase-file", "empty.txt"], "passphrase-required"),
            (["--passphrase-file", "a.txt", "--new-passphrase-file", "missing.txt"], "file-not-found"),
        ] {
            let run = try keys.tool.run(all: ["keys", "passphrase", "--keyring", KeyFolder.name] + options)
            #expect(run.status == 1 && run.errors.contains("[\(code)]"), "\(options): \(run.errors)")
            #expect(!run.errors.contains("passphrase a") && !run.errors.contains("passphrase b"))
        }
        #expect(try keys.tool.read(KeyFolder.name) == before)
    }

    @Test("Contradicting options are refused")
    func contradictingOptionsAreRefused() throws {
        _ = try keys.make()
        let before = try keys.tool.read(KeyFolder.name)
        for options in [
            ["--remove", "--new-passphrase-file", "a.txt"],
            ["--new-passphrase-file", "a.txt", "--new-passphrase-fd", "0"],
            ["--passphrase-fd", "0", "--new-passphrase-fd", "0"], ["--new-passphrase-fd", "1"],
        ] {
            let run = try keys.tool.run(all: ["keys", "passphrase", "--keyring", KeyFolder.name] + options)
            #expect(run.status == 64 && run.output.isEmpty, "\(options): \(run.errors)")
        }
        let useless = try keys.run("passphrase", "--passphrase-file", "a.txt")
        #expect(useless.status == 1 && useless.errors.contains("'--new-passphrase-file'"))
        #expect(try keys.tool.read(KeyFolder.name) == before)
    }

    @Test("A new passphrase may come from a descriptor")
    func aDescriptorGivesTheNewPassphrase() throws {
        let key = try keys.make()
        let arguments = ["keys", "passphrase", "--keyring", KeyFolder.name, "--new-passphrase-fd", "0"]
        #expect(try keys.tool.run(all: arguments, input: "passphrase a").status == 0)
        #expect(try keys.run("public", "--passphrase-file", "a.txt").text == key.jwk + "\n")
    }
}
