import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// Tests of `keys check --list`.
@Suite(.toolThreads, .thorough) struct ListCheckTests {
    private let server: ServerDirectory

    init() throws {
        server = try ServerDirectory()
    }

    private func check(_ arguments: String..., root: String = "root.jwk") throws -> Tool.Run {
        try server.tool.run(
            all: ["keys", "check", "--list", "signers.jws", "--root", root] + arguments,
            environment: ["PUSHCRYPT_KEYRING": "server.jwks"])
    }

    private func write(expiring days: Int, _ keys: [VerificationKey]) throws {
        let root = try #require(try server.ring("root.jwks").keys.first)
        try server.tool.write(
            SignerList(
                keys: keys, issued: ServerDirectory.date(-100),
                expiration: ServerDirectory.date(days),
                signedBy: Signer(root)
            ).text, to: "signers.jws")
    }

    @Test("A list that fits the keyring is valid") func valid() throws {
        try server.announce()
        let run = try check()
        #expect(
            run.status == 0 && run.output.isEmpty && !run.errors.contains("warning"),
            "\(run.errors)")
        #expect(run.errors.contains("signers.jws is valid: list "))
        #expect(
            run.errors.contains(
                "if it pins one alone, add an offline root before the first release"))
        #expect(!(try check("--root", "server.jwk").errors.contains("if it pins one alone")))
    }

    @Test("A list without the primary key, an expired one and one of another root are errors")
    func errors() throws {
        try write(expiring: 100, [try SigningKey().publicKey])
        let unlisted = try check()
        #expect(
            unlisted.status == 65 && unlisted.errors.contains("[unlisted-signing-key]"),
            "\(unlisted.errors)")
        try write(expiring: -1, [server.first])
        let expired = try check()
        #expect(
            expired.status == 65 && expired.errors.contains("[expired-signer-list]"),
            "\(expired.errors)")
        let foreign = try check(root: "server.jwk")
        #expect(
            foreign.status == 65 && foreign.errors.contains("signed by another root"),
            "\(foreign.errors)")
        #expect(
            try server.run("check", "--list", "signers.jws").errors.contains(
                "Give the root's public key"))
        try server.tool.write("x", to: "signers.jws")
        #expect(try check().errors.contains("[malformed-signer-list]"))
        #expect(try server.run("check", "--root", "root.jwk").status == 64)
    }

    @Test("The list must be for the given audience") func audience() throws {
        try server.announce("--audience", "staging")
        let run = try check()
        #expect(
            run.status == 0 && run.errors.contains(#"for the audience "staging""#), "\(run.errors)")
        #expect(try check("--audience", "staging").status == 0)
        let other = try check("--audience", "production")
        #expect(other.status == 65 && other.errors.contains("[wrong-audience]"), "\(other.errors)")
        #expect(try server.run("check", "--audience", "staging").status == 64)
        // A promotion would darken the devices, which don't have the list.
        let before = try server.ring().publicKeys
        try server.addPending()
        try server.announce()
        let promotion = try server.run(
            "promote", "--list", "signers.jws", "--root", "root.jwk", "--audience", "production")
        #expect(
            promotion.status == 65 && promotion.errors.contains("[wrong-audience]"),
            "\(promotion.errors)")
        #expect(try server.ring().primary.key.publicKey == before.first)
    }

    @Test("What darkens devices later is a warning") func warnings() throws {
        let other = try SigningKey().publicKey
        let (old, new) = (server.first, try server.rotate())
        let pending = try server.addPending()
        try write(expiring: 29, [new, other])
        let run = try check()
        #expect(run.status == 0)
        for text in [
            "expires on ", "doesn't have the pending key \(pending.keyID)",
            "doesn't have the retired key \(old.keyID)",
            "has the key \(other.keyID), which the keyring lacks",
        ] { #expect(run.errors.contains("warning: signers.jws \(text)"), "\(text): \(run.errors)") }
        try write(expiring: 31, try server.ring().publicKeys)
        #expect(!(try check().errors.contains("warning")))
    }

    @Test("A root that is a signing key, and a server with one key, get a hint") func hints() throws
    {
        #expect(try server.run("check").errors.contains("if the app pins this key alone"))
        #expect(
            try server.run("announce", "--root", "server.jwks", "-o", "signers.jws").status == 0)
        let run = try server.run("check", "--list", "signers.jws")
        #expect(
            run.errors.contains("is a key of this keyring, whose thief can sign lists"),
            "\(run.errors)")
    }
}
