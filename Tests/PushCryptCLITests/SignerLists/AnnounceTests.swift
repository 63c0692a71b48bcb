import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// Tests of `keys announce`.
@Suite(.toolThreads, .thorough) struct AnnounceTests {
    private let server: ServerDirectory

    init() throws {
        server = try ServerDirectory()
    }

    private func expectError(
        _ arguments: [String], _ message: String, status: Int32, input: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let run = try server.tool.run(
            all: ["keys", "announce"] + arguments, input: input,
            environment: ["PUSHCRYPT_KEYRING": "server.jwks"])
        #expect(
            run.status == status && run.output.isEmpty, "\(run.errors)",
            sourceLocation: sourceLocation)
        #expect(run.errors.contains(message), "\(run.errors)", sourceLocation: sourceLocation)
    }

    @Test("The file of a killed process is removed by the next one") func leftOver() throws {
        try server.announce()
        for name in ["signers.jws.pushcrypt-AAAAAAAAAAAA.tmp", "signers.jws.tmp"] {
            try server.tool.write("x", to: name)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: server.tool.path(name))
        }
        try server.announce()
        let exists = { (name: String) in
            FileManager.default.fileExists(atPath: server.tool.path(name))
        }
        #expect(!exists("signers.jws.pushcrypt-AAAAAAAAAAAA.tmp") && exists("signers.jws.tmp"))
    }

    @Test("The list has all keys of the keyring, and the hint describes it") func listHasAllKeys()
        throws
    {
        let second = try server.addPending()
        let run = try server.run("announce", "--root", "root.jwks", "-o", "signers.jws")
        let list = try server.list()
        #expect(
            list.keys == [server.first, second] && list.rootKid == server.root.kid
                && list.audience == nil)
        #expect(try server.tool.read("signers.jws") == list.text + "\n")
        let day = list.expiration.formatted(.iso8601.year().month().day())
        #expect(
            run.errors == """
                pushcrypt: hint: list \(list.number) of the root \(server.root.kid.prefix(10)): \
                devices accept \(server.first.keyID), \(second.keyID), and take it until \(day)\n
                """)
        #expect(abs(list.expiration.timeIntervalSince(list.issued) - 365 * 24 * 3600) < 1)
        // Standard output without '-o'.
        let printed = try server.run("announce", "--root", "root.jwks", "--valid", "30d").text
        let other = try SignerList(verifying: printed, roots: [server.root])
        #expect(
            printed == other.text + "\n"
                && other.expiration.timeIntervalSince(other.issued) == 30 * 24 * 3600)
    }

    @Test("Each list has a higher number, and keeps the audience") func listsFollowEachOther()
        throws
    {
        let first = try server.announce("--audience", "test")
        let second = try server.announce()
        #expect(second.number > first.number && second.audience == "test")
        try server.rotate()
        #expect(try server.announce("--audience", "test").number > second.number)
        let before = try server.tool.read("signers.jws")
        try expectError(
            ["--root", "root.jwks", "-o", "signers.jws", "--audience", "other"],
            "The last list is for the audience \"test\". Remove the new audience", status: 65)
        #expect(try server.tool.read("signers.jws") == before)
    }

    @Test("A clock that is earlier than the root's keys announces no first list") func earlyClock()
        throws
    {
        try server.announce()
        try KeyringFile<SigningKey>(path: server.tool.path("root.jwks")).update {
            (ring) throws(PushCryptError) in
            try ring.addPendingKey(at: Date() + 3 * 86_400)
        }
        try expectError(["--root", "root.jwks"], "[stale-signer-list]", status: 65)
        try expectError(
            ["--root", "root.jwks", "-o", "other.jws"], "Correct the clock", status: 65)
        // After an earlier list, the number doesn't depend on the clock.
        try server.announce()
    }

    @Test("A clock that is years ahead signs no list without a word, and keys check reports one")
    func clockAhead() throws {
        let year: TimeInterval = 365 * 86_400
        func create(_ name: String, _ date: Date) throws {
            try? FileManager.default.removeItem(atPath: server.tool.path(name))
            _ = try KeyringFile<SigningKey>(path: server.tool.path(name)).createOrRotate(at: date)
        }
        try create("old.jwks", Date() - 3 * year)
        try expectError(
            ["--root", "old.jwks", "-o", "old.jws"], "confirm it ('--clock-is-right')", status: 65)
        let run = try server.run(
            "announce", "--root", "old.jwks", "-o", "old.jws", "--clock-is-right")
        #expect(run.status == 0, "\(run.errors)")
        // The next list follows the last one, whose date is known.
        #expect(try server.run("announce", "--root", "old.jwks", "-o", "old.jws").status == 0)

        let root = try KeyringFile<SigningKey>(path: server.tool.path("root.jwks")).read().primary
            .key
        let ahead = try SignerList(
            keys: [server.first], issued: Date() + 20 * year, expiration: Date() + 21 * year,
            signedBy: Signer(root))
        try server.tool.write(ahead.text + "\n", to: "signers.jws")
        let check = try server.run("check", "--list", "signers.jws", "--root", "root.jwk")
        #expect(check.errors.contains("keep the file, because"), "\(check.errors)")
        let next = try server.run("announce", "--root", "root.jwks", "-o", "signers.jws")
        #expect(next.status == 0 && next.errors.contains("Keep its file"), "\(next.errors)")
        #expect(try server.list().number == ahead.number + 1)
        // The file is lost, and its number is known.
        let number = "\(ahead.number + 1)"
        #expect(
            try server.run(
                "announce", "--root", "root.jwks", "-o", "other.jws", "--number-above", number
            ).status == 0)
        #expect(try server.list("other.jws").number == ahead.number + 2)
    }

    @Test("A foreign or damaged list isn't replaced") func foreignListStays() throws {
        try server.announce()
        let before = try server.tool.read("signers.jws")
        try server.tool.createKeyring("other.jwks", of: SigningKey.self)
        try expectError(
            ["--root", "other.jwks", "-o", "signers.jws"],
            "signers.jws: Its list is signed by another root. Give the keyring of that root",
            status: 65)
        #expect(try server.tool.read("signers.jws") == before)
        for text in ["", "x", before.replacing(".", with: "..")] {
            try server.tool.write(text, to: "bad.jws")
            try expectError(
                ["--root", "root.jwks", "-o", "bad.jws"], "[malformed-signer-list]", status: 65)
            #expect(try server.tool.read("bad.jws") == text)
        }
        // A key file is never replaced.
        try expectError(["--root", "root.jwks", "-o", "device.jwk"], "[file-exists]", status: 1)
        try expectError(
            ["--root", "root.jwks", "-o", "server.jwks"], "is a file that the command reads",
            status: 64)
    }

    @Test("A machine without the server's keyring signs its public keys, from a file to a file")
    func offlineRoot() throws {
        let second = try server.addPending()
        let keys = try server.run("public", "--all").text
        try server.tool.write(keys, to: "all.jwk")
        #expect(try server.announce("all.jwk").keys == [server.first, second])
        #expect(try server.run("announce", "--root", "root.jwks", "-", input: keys).status == 0)
        try expectError(
            ["--root", "root.jwks", "server.jwks"], "server.jwks has private keys", status: 1)
        try expectError(["--root", "root.jwks", "device.jwk"], "[wrong-key-type]", status: 1)
        try expectError(
            ["--root", "root.jwks", "--keyring", "server.jwks", "all.jwk"], "not both", status: 64)
        try server.tool.write(server.first.jwk, to: "one.jwk")
        let run = try server.run("announce", "--root", "root.jwks", "-o", "signers.jws", "one.jwk")
        #expect(
            run.errors.contains("hint: with this list, devices no longer accept \(second.keyID)\n"))
    }

    @Test("The server's own keyring is an online root, also after it has another primary key")
    func onlineRoot() throws {
        try server.rotate()
        for _ in 1...2 {
            let run = try server.run("announce", "--root", "server.jwks", "-o", "signers.jws")
            #expect(run.status == 0, "\(run.errors)")
            #expect(try server.list().rootKid == server.first.kid)
            try server.rotate()
        }
    }

    @Test("More than 64 keys must be pruned first") func tooManyKeys() throws {
        try server.file("server.jwks").update { (ring) throws(PushCryptError) in
            for _ in 1...64 { try ring.addPendingKey(at: Date()) }
        }
        try expectError(
            ["--root", "root.jwks", "-o", "signers.jws"],
            "65 keys are more than the 64 of a list. Destroy", status: 65)
        #expect(try !server.tool.names.contains("signers.jws"))
    }

    @Test(
        "Wrong options end with 64",
        arguments: [
            ["-o", "a"], ["--root", "root.jwks", "--valid", "1"],
            ["--root", "root.jwks", "--valid", "59m"],
            ["--root", "root.jwks", "--valid", "3651d"], ["--root", "root.jwks", "-o", "-"],
            ["--root", ""],
            ["--root", "root.jwks", "--root-passphrase-fd", "3", "--passphrase-fd", "3"],
        ])
    func wrongOptions(arguments: [String]) throws {
        try expectError(arguments, "pushcrypt: error: ", status: 64)
    }

    @Test("Both keyrings can have a passphrase") func passphrases() throws {
        try server.tool.protect("server.jwks", with: "one", SigningKey.self)
        try server.tool.protect("root.jwks", with: "two", SigningKey.self)
        try server.tool.write("one", to: "1", mode: 0o600)
        try server.tool.write("two", to: "2", mode: 0o600)
        #expect(
            try server.announce("--passphrase-file", "1", "--root-passphrase-file", "2").keys == [
                server.first
            ])
        try expectError(
            ["--root", "root.jwks", "--passphrase-file", "1", "--root-passphrase-file", "1"],
            "[wrong-passphrase]",
            status: 1)
    }
}
