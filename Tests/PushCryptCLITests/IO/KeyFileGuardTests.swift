import Foundation
import Testing

/// `-o` replaces any file except one that holds keys, or might.
@Suite struct KeyFileGuardTests {
    private let tool: Tool
    private static let payload = #"{"aps":{"alert":"a"}}"#

    init() throws {
        tool = try Tool()
        try tool.write(Self.payload, to: "payload.json")
        try tool.write(try tool.run("keygen", "--keyring", "ring.jwks").text, to: "device.jwk")
    }

    private func seal(to target: String) throws -> Tool.Run {
        try tool.run("seal", "--to", "device.jwk", "--anonymous", "-o", target, "payload.json")
    }

    private func expectRefusal(of target: String, _ reason: String = "holds keys") throws {
        let before = try tool.read(target)
        let run = try seal(to: target)
        #expect(run.status == 1 && run.errors.contains("[file-exists]"), "\(run.errors)")
        #expect(run.errors.contains(reason), "\(run.errors)")
        #expect(try tool.read(target) == before)
    }

    @Test("Keys and keyrings are not overwritten") func keysAndKeyringsStay() throws {
        try expectRefusal(of: "ring.jwks")
        #expect(try tool.mode("ring.jwks") == 0o600)
        try tool.write(try tool.read("device.jwk"), to: "other.jwk")
        try expectRefusal(of: "other.jwk")
        try expectRefusal(of: "ring.jwks.lock", "is the lock of a keyring")
    }

    @Test("A keyring under a passphrase is not overwritten") func aKeyringUnderAPassphraseStays() throws {
        try tool.write("correct horse\n", to: "passphrase")
        let file = tool.folder.appendingPathComponent("passphrase").path
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let made = try tool.run("keygen", "--keyring", "own.jwks", "--protect", "--passphrase-file", "passphrase")
        #expect(made.status == 0)
        try expectRefusal(of: "own.jwks")
    }

    @Test(
        "Files that look like keys are not overwritten",
        arguments: [
            #"{"keys":{"of":"a newer release"}}"#, #"{"kty":7}"#, #"{"protection":"new"}"#,
            #"{"keys":[{"kty":"OKP","crv":"X25519","d":"AAA"#, #"{"protection":{"kdf":"argon2id","#,
            #"{"generation":5,"keys":["#, #""keyring":"AAAA"}"#, "-----BEGIN PRIVATE KEY-----\nAAAA\n",
        ])
    func whatLooksLikeKeysStays(_ contents: String) throws {
        try tool.write(contents, to: "old")
        try expectRefusal(of: "old")
    }

    @Test("A file that is too large to check is not overwritten") func whatIsTooLargeToLookIntoStays() throws {
        try tool.write(String(repeating: " ", count: 1 << 20 | 1), to: "old")
        try expectRefusal(of: "old", "might hold keys")
    }

    @Test(
        "Any other file is replaced",
        arguments: [
            "", "\n", "kty", "{", payload, #"{"aps":{},"keys":[1],"kty":"a","protection":{}}"#, #"{"a":{"keys":[]}}"#,
        ])
    func everythingElseIsReplaced(_ contents: String) throws {
        try tool.write(contents, to: "old")
        #expect(try seal(to: "old").status == 0)
        #expect(try tool.read("old").contains("ENCRYPTED_DATA"))
    }
}
