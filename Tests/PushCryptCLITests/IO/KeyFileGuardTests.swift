import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptCLI

/// `-o` replaces any file except a file that holds keys, or may hold keys.
@Suite(.toolThreads, .thorough) struct KeyFileGuardTests {
    private let tool: Tool
    private static let payload = #"{"aps":{"alert":"a"}}"#

    init() throws {
        tool = try Tool()
    }

    @Test("The tool overwrites no key and no keyring, and any other file")
    func keysAndKeyringsStay() throws {
        try tool.createDevice()
        try tool.createKeyring("own.jwks", of: RecipientPrivateKey.self)
        try tool.protect("own.jwks", with: "correct horse", RecipientPrivateKey.self)
        try tool.write(Self.payload, to: "payload.json")
        try tool.write(try tool.read("device.jwk"), to: "other.jwk")
        let seal = ["seal", "--to", "device.jwk", "--anonymous", "payload.json", "-o"]
        for (target, reason) in [
            ("device.jwks", "holds keys"), ("other.jwk", "holds keys"), ("own.jwks", "holds keys"),
            ("device.jwks.lock", "is the lock of a keyring"),
        ] {
            let before = try tool.read(target)
            let run = try tool.run(all: seal + [target])
            #expect(run.status == 1 && run.errors.contains("[file-exists]"), "\(run.errors)")
            #expect(run.errors.contains(reason), "\(run.errors)")
            #expect(try tool.read(target) == before)
        }
        #expect(try tool.mode("device.jwks") == 0o600)
        try tool.write("old", to: "sealed.json")
        #expect(try tool.run(all: seal + ["sealed.json"]).status == 0)
        #expect(try tool.read("sealed.json").contains("ENCRYPTED_DATA"))
    }

    private func reason(_ contents: String) throws -> String? {
        try tool.write(contents, to: "old")
        do throws(PushCryptError) {
            try KeyFileGuard.check(tool.path("old"))
            return nil
        } catch {
            #expect(error.code == .fileExists)
            return error.reason
        }
    }

    @Test(
        "Files that look like keys are not overwritten",
        arguments: [
            #"{"keys":{"of":"a newer release"}}"#, #"{"kty":7}"#, #"{"protection":"new"}"#,
            #"{"keys":[{"kty":"OKP","crv":"X25519","d":"AAA"#, #"{"protection":{"kdf":"argon2id","#,
            #"{"generation":5,"keys":["#, #""keyring":"AAAA"}"#,
            "-----BEGIN PRIVATE KEY-----\nAAAA\n",
        ])
    func filesThatLookLikeKeysStay(_ contents: String) throws {
        #expect(try reason(contents)?.contains("holds keys") == true)
    }

    @Test("A file that is too large to check is not overwritten") func aFileThatIsTooLargeStays()
        throws
    {
        #expect(
            try reason(String(repeating: " ", count: 1 << 20 | 1))?.contains("might hold keys")
                == true)
    }

    @Test(
        "Any other file is replaced",
        arguments: [
            "", "\n", "kty", "{", payload, #"{"aps":{},"keys":[1],"kty":"a","protection":{}}"#,
            #"{"a":{"keys":[]}}"#,
        ])
    func anyOtherFileIsReplaced(_ contents: String) throws {
        #expect(try reason(contents) == nil)
    }
}
