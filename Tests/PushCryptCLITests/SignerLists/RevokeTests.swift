import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// Tests of `keys revoke`.
@Suite(.toolThreads, .thorough) struct RevokeTests {
    private let server: ServerDirectory

    init() throws {
        server = try ServerDirectory()
    }

    private func revoke(_ arguments: String...) throws -> Tool.Run {
        try server.tool.run(
            all: ["keys", "revoke", "--root", "root.jwks", "-o", "signers.jws"] + arguments,
            environment: ["PUSHCRYPT_KEYRING": "server.jwks"])
    }

    @Test("A leaked primary key gives way to the pending one, and the list has it no longer")
    func primary() throws {
        let second = try server.addPending()
        let before = try server.announce()
        let run = try revoke("--", "\(server.first.keyID)")
        #expect(run.status == 0 && run.output.isEmpty, "\(run.errors)")
        #expect(
            run.errors.contains(
                "hint: revoked the key in server.jwks; the primary key is \(second.keyID)\n"))
        #expect(!run.errors.contains("warning"))
        #expect(run.errors.contains("devices no longer accept \(server.first.keyID)\n"))
        #expect(try server.ring().publicKeys == [second])
        #expect(try server.list().keys == [second] && server.list().number > before.number)
    }

    @Test("A new key is announced, and the warning says that no device knows it") func onlyKey()
        throws
    {
        try server.announce()
        let run = try revoke("--", "\(server.first.keyID)")
        let new = try server.ring().primary.key.publicKey
        #expect(run.status == 0 && new != server.first)
        #expect(run.errors.contains("warning: no device knows the primary key \(new.keyID)"))
        #expect(try server.list().keys == [new])
    }

    @Test("A run that was killed between keyring and list is completed by the next") func crash()
        throws
    {
        let second = try server.addPending()
        try server.announce()
        // As after a kill: the keyring is changed, and the list is not.
        #expect(try server.run("revoke", "--", "\(server.first.keyID)").status == 0)
        #expect(try server.list().keys == [server.first, second])
        let generation = try server.ring().generation
        #expect(try revoke("--", "\(server.first.keyID)").status == 0)
        #expect(try server.list().keys == [second] && server.ring().generation == generation)
        let again = try revoke("--", "\(server.first.keyID)")
        #expect(again.status == 65 && again.errors.contains("[unknown-key]"), "\(again.errors)")
        #expect(
            again.errors.contains("A key that was revoked before isn't there: sign its list"),
            "\(again.errors)")
        let short = try revoke("--", String("\(second.keyID)".prefix(9)))
        #expect(short.status == 64 && short.errors.contains("The ID of the key is incomplete"))
    }

    @Test("A pending key that was never announced is unknown to devices, too") func unannounced()
        throws
    {
        try server.announce()
        let second = try server.addPending()
        let run = try revoke("--", "\(server.first.keyID)")
        #expect(
            run.status == 0
                && run.errors.contains("warning: no device knows the primary key \(second.keyID)"))
        #expect(run.errors.contains("devices also accept \(second.keyID)"), "\(run.errors)")
    }

    @Test("Of several pending keys, the one that devices know becomes the primary key")
    func announced() throws {
        let unknown = try server.addPending()
        try server.announce()
        let known = try server.addPending()
        try server.tool.write("\(server.first.jwk)\n\(known.jwk)\n", to: "some.jwk")
        try server.announce("some.jwk")
        let run = try revoke("--", "\(server.first.keyID)")
        #expect(run.status == 0 && !run.errors.contains("warning"), "\(run.errors)")
        #expect(
            try server.ring().primary.key.publicKey == known && server.list().keys.contains(unknown)
        )
    }

    @Test("Without a list, the warning says that the new primary key may be unknown")
    func withoutAList() throws {
        let second = try server.addPending()
        let run = try server.run("revoke", "--", "\(server.first.keyID)")
        let warning =
            "warning: this command doesn't know whether a list had the primary key \(second.keyID)"
        #expect(run.errors.contains(warning), "\(run.errors)")
    }

    @Test("After one key was revoked, 'revoke --all' leaves no leaked key without a word")
    func allAfterOne() throws {
        #expect(try server.run("revoke", "--", "\(server.first.keyID)").status == 0)
        let before = try server.ring()
        let run = try server.run("revoke", "--all")
        let leaked = before.primary.key.publicKey.keyID
        #expect(
            run.status == 64 && run.errors.contains("The only key, \(leaked), is new"),
            "\(run.errors)")
        #expect(run.errors.contains("[risky-change]"))
        #expect(try server.ring().publicKeys == before.publicKeys)
        #expect(try server.run("revoke", "--", "\(leaked)").status == 0)
        #expect(try !server.ring().publicKeys.contains(before.primary.key.publicKey))
    }

    @Test("All keys of a leaked file are replaced by a new one, once") func all() throws {
        let old = try [server.first, server.rotate(), server.rotate(), server.addPending()]
        try server.announce()
        #expect(try server.run("revoke", "--all").status == 0)
        let new = try server.ring().primary.key.publicKey
        #expect(try server.ring().publicKeys == [new] && !old.contains(new))
        // The killed run is completed without another key.
        #expect(try revoke("--all").status == 0)
        #expect(try server.list().keys == [new])
        // A third run doesn't know whether the new key has leaked, too.
        let third = try revoke("--all")
        #expect(third.status == 64 && third.errors.contains("[risky-change]"), "\(third.errors)")
        #expect(try server.list().keys == [new] && server.ring().publicKeys == [new])
        #expect(try revoke("--", "\(new.keyID)").status == 0)
        #expect(try server.list().keys != [new])
    }

    @Test("With an offline root, the keyring and the list change on their own machines")
    func offline() throws {
        let second = try server.addPending()
        let before = try server.announce()
        let here = try server.run("revoke", "--", "\(server.first.keyID)")
        #expect(here.status == 0 && here.errors.contains("'pushcrypt keys public --all > all.jwk'"))
        #expect(try server.ring().publicKeys == [second])
        for name in ["server.jwks", "server.jwks.lock"] {
            try FileManager.default.removeItem(atPath: server.tool.path(name))
        }
        let there = try revoke("--", "\(server.first.keyID)", "signers.jws")
        #expect(there.status == 0, "\(there.errors)")
        #expect(try server.list().keys == [second] && server.list().number > before.number)
        let again = try revoke("--", "\(server.first.keyID)", "signers.jws")
        #expect(again.status == 65 && again.errors.contains("signers.jws doesn't have this key"))
        let last = try revoke("--", "\(second.keyID)", "signers.jws")
        #expect(last.status == 65 && last.errors.contains("has no other key"))
        #expect(try server.list().keys == [second])
    }

    @Test("The new list follows the newest one: that of the output, or the given one")
    func numbers() throws {
        let second = try server.addPending()
        try server.announce()
        try server.tool.write(server.tool.read("signers.jws"), to: "old.jws")
        let newest = try server.announce()
        for (given, output) in [("signers.jws", "old.jws"), ("old.jws", "signers.jws")] {
            try server.tool.write(newest.text, to: "signers.jws")
            let run = try server.tool.run(
                "keys", "revoke", "--root", "root.jwks", "-o", output, "--",
                "\(server.first.keyID)", given)
            #expect(run.status == (output == "old.jws" ? 0 : 65), "\(run.errors)")
            #expect(
                try server.list("old.jws").keys == [second]
                    && server.list("old.jws").number > newest.number)
        }
    }

    @Test("A key that was revoked since the given list doesn't come back") func oldList() throws {
        let second = try server.rotate()
        let third = try server.addPending()
        try server.announce()
        try server.tool.write(server.tool.read("signers.jws"), to: "old.jws")
        for key in [server.first, second] {
            #expect(try revoke("--", "\(key.keyID)", "old.jws").status == 0)
        }
        #expect(try server.list().keys == [third])
    }

    @Test("A leaked root needs an update of the app, and nothing changes") func leakedRoot() throws
    {
        #expect(
            try server.run("announce", "--root", "server.jwks", "-o", "signers.jws").status == 0)
        try server.rotate()
        let before = try [server.tool.read("server.jwks"), server.tool.read("signers.jws")]
        for key in [["--", "\(server.first.keyID)"], ["--all"]] {
            let run = try server.tool.run(
                all: [
                    "keys", "revoke", "--root", "server.jwks", "--keyring", "server.jwks", "-o",
                    "signers.jws",
                ] + key)
            #expect(run.status == 1 && run.errors.contains("is the root itself"), "\(run.errors)")
        }
        #expect(try [server.tool.read("server.jwks"), server.tool.read("signers.jws")] == before)
    }

    @Test("Wrong options end with 64, and nothing changes")
    func wrongOptions() throws {
        let before = try server.tool.read("server.jwks")
        let id = "\(server.first.keyID)"
        for arguments in [
            [], ["--all", "--", id], ["--root", "root.jwks", "--", id], ["-o", "x", "--", id],
            ["--", id, "list"],
            ["--root", "root.jwks", "-o", "x", "--keyring", "server.jwks", "--", id, "list"],
        ] {
            let run = try server.tool.run(
                all: ["keys", "revoke"] + arguments,
                environment: ["PUSHCRYPT_KEYRING": "server.jwks"])
            #expect(run.status == 64, "\(arguments): \(run.errors)")
        }
        #expect(try server.tool.read("server.jwks") == before)
    }
}
