import Foundation
import PushCryptTesting
import Testing

/// A schedule promotes a signing key only if it was announced, because its hints are for people.
@Suite(.toolThreads) struct SchedulePromotionTests {
    private let server: ServerDirectory
    private let schedule = ["--older-than", "80d"]

    init() throws {
        server = try ServerDirectory()
    }

    private func promote(_ arguments: [String]) throws -> Tool.Run {
        try server.tool.run(
            all: ["keys", "promote"] + arguments, environment: ["PUSHCRYPT_KEYRING": "server.jwks"])
    }

    /// Creates a keyring with a pending key that is old enough.
    private func prepare() throws -> VerificationKey {
        _ = try server.age(days: 200)
        return try server.addPending(at: ServerDirectory.date(-90))
    }

    @Test("A schedule without a list and without recipients changes nothing") func blind() throws {
        _ = try prepare()
        let run = try promote(schedule)
        #expect(run.status == 64 && run.errors.contains("[risky-change]"), "\(run.errors)")
        #expect(try server.ring().pending.count == 1)
    }

    @Test("A key is promoted once the list has it") func announced() throws {
        let next = try prepare()
        let list = ["--list", "signers.jws", "--root", "root.jwk"]
        let missing = try promote(schedule + list)
        #expect(
            missing.status == 0 && missing.errors.contains("Nothing was changed. [file-not-found]"))
        try server.tool.write(try server.ring().primary.key.publicKey.jwk, to: "one.jwk")
        try server.announce("one.jwk")
        let unlisted = try promote(schedule + list)
        #expect(
            unlisted.status == 0 && unlisted.errors.contains("[unlisted-signing-key]"),
            "\(unlisted.errors)")
        // A person gets an error.
        #expect(try promote(list).status == 65)
        #expect(try server.ring().pending.count == 1)
        try server.announce()
        #expect(try promote(schedule + list).text == next.jwk + "\n")
    }

    @Test("An expired list promotes nothing") func expired() throws {
        _ = try prepare()
        let root = try #require(try server.ring("root.jwks").keys.first)
        let list = try SignerList(
            keys: try server.ring().publicKeys, issued: ServerDirectory.date(-9),
            expiration: ServerDirectory.date(-1), signedBy: Signer(root))
        try server.tool.write(list.text, to: "signers.jws")
        let run = try promote(schedule + ["--list", "signers.jws", "--root", "root.jwk"])
        #expect(
            run.status == 0 && run.output.isEmpty && run.errors.contains("[expired-signer-list]"),
            "\(run.errors)")
    }

    @Test("Recipients that don't tell what they accept stop a schedule") func bare() throws {
        let next = try prepare()
        try server.write(
            server.registration(accepting: [next]), server.registration(accepting: nil))
        let run = try promote(schedule + ["--recipients", "devices.ndjson"])
        #expect(run.status == 0 && run.output.isEmpty)
        #expect(run.errors.contains("1 recipient of 2 may not accept the new key"), "\(run.errors)")
        try server.write(server.registration(accepting: [try server.ring().primary.key.publicKey]))
        #expect(try promote(schedule + ["--recipients", "devices.ndjson"]).text == next.jwk + "\n")
    }
}
