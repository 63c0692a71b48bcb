import Foundation
import PushCryptTesting
import Testing

@Suite struct KeygenTests {
    private let tool: Tool

    init() throws {
        tool = try Tool()
    }

    private func keyring<Key: PrivateKey>(_ name: String, of: Key.Type = RecipientPrivateKey.self) throws -> Keyring<
        Key
    > {
        try KeyringFile<Key>(path: tool.folder.appendingPathComponent(name).path).read()
    }

    @Test("A keyring is created and its public key printed") func aKeyringIsMadeAndItsPublicKeyPrinted() throws {
        let run = try tool.run("keygen", "--keyring", "device.jwks")
        #expect(run.status == 0)
        let ring = try keyring("device.jwks")
        #expect(run.text == ring.primary.key.publicKey.jwk + "\n")
        #expect(ring.generation == 1)
        #expect(try tool.mode("device.jwks") == 0o600)
        #expect(try tool.names == ["device.jwks", "device.jwks.lock"])
    }

    @Test("Nothing secret is printed") func nothingSecretIsPrinted() throws {
        let run = try tool.run("keygen", "--keyring", "device.jwks")
        let file = try tool.read("device.jwks")
        let secret = try #require(file.components(separatedBy: #""d":""#).last?.prefix(43))
        #expect(!run.text.contains(secret))
        #expect(!run.errors.contains(secret))
        #expect(!run.text.contains(#""d""#))
    }

    @Test("An existing keyring is rotated and keeps its keys") func anExistingKeyringIsRotatedAndKeepsItsKeys() throws {
        _ = try tool.run("keygen", "--keyring", "device.jwks")
        let first = try keyring("device.jwks").primary.key.publicKey
        let run = try tool.run("keygen", "--keyring", "device.jwks")
        #expect(run.status == 0)
        let ring = try keyring("device.jwks")
        #expect(ring.generation == 2)
        #expect(ring.primary.key.publicKey != first)
        #expect(ring.retired.map(\.key.publicKey) == [first])
        #expect(run.text == ring.primary.key.publicKey.jwk + "\n")
        #expect(try tool.mode("device.jwks") == 0o600)
    }

    @Test("Signing keys are created, and stay signing keys when rotated")
    func signingKeysAreMadeAndRotateAsWhatTheyAre() throws {
        #expect(try tool.run("keygen", "--use", "sig", "--keyring", "server.jwks").status == 0)
        #expect(try tool.run("keygen", "--keyring", "server.jwks").status == 0)
        #expect(try keyring("server.jwks", of: SigningKey.self).retired.count == 1)
    }

    @Test("A keyring of another use is not changed") func aKeyringOfAnotherKindIsLeftAlone() throws {
        _ = try tool.run("keygen", "--use", "sig", "--keyring", "server.jwks")
        let before = try tool.read("server.jwks")
        let run = try tool.run("keygen", "--use", "enc", "--keyring", "server.jwks")
        #expect(run.status == 1)
        #expect(run.text.isEmpty)
        #expect(run.errors.hasPrefix("pushcrypt: error: "))
        #expect(try tool.read("server.jwks") == before)
    }

    @Test("An invalid keyring is not changed", arguments: ["", "not a keyring", #"{"keys":[]}"#, "{}"])
    func aFileThatIsNoKeyringIsLeftAlone(contents: String) throws {
        try tool.write(contents, to: "notes.jwks")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: tool.folder.appendingPathComponent("notes.jwks").path)
        let run = try tool.run("keygen", "--keyring", "notes.jwks")
        #expect(run.status == 1)
        #expect(run.text.isEmpty)
        #expect(try tool.read("notes.jwks") == contents)
    }

    @Test("A keyring that other users may read is refused with the fix")
    func aKeyringThatOthersMayReadIsRefusedWithTheCure() throws {
        _ = try tool.run("keygen", "--keyring", "device.jwks")
        let path = tool.folder.appendingPathComponent("device.jwks").path
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let run = try tool.run("keygen", "--keyring", "device.jwks")
        #expect(run.status == 1)
        #expect(run.errors.contains("chmod 600 device.jwks"))
    }

    @Test("The keyring comes from the environment or the directory Keys")
    func theKeyringComesFromTheEnvironmentOrTheFolderKeys() throws {
        #expect(try tool.run("keygen").status == 0)
        #expect(try tool.mode("Keys/keyring.jwks") == 0o600)
        #expect(try tool.run("keygen", environment: ["PUSHCRYPT_KEYRING": "other.jwks"]).status == 0)
        #expect(try tool.mode("other.jwks") == 0o600)
        #expect(try tool.run("keys", "public").text == keyring("Keys/keyring.jwks").primary.key.publicKey.jwk + "\n")
    }

    @Test("keys public prints the primary key of either use") func keysPublicPrintsThePrimaryKeyOfEitherKind() throws {
        let enc = try tool.run("keygen", "--keyring", "a.jwks")
        #expect(try tool.run("keys", "public", "--keyring", "a.jwks").text == enc.text)
        let sig = try tool.run("keygen", "--use", "sig", "--keyring", "b.jwks")
        #expect(try tool.run("keys", "public", "--keyring", "b.jwks").text == sig.text)
        let missing = try tool.run("keys", "public", "--keyring", "c.jwks")
        #expect(missing.status == 1)
        #expect(missing.errors.contains("There is no file c.jwks. Create a keyring with 'pushcrypt keygen'."))
    }

    @Test("The path from the environment is checked") func thePathFromTheEnvironmentIsCheckedToo() throws {
        for path in [#"{"kty":"OKP"}"#, "a\nb"] {
            let run = try tool.run("keygen", environment: ["PUSHCRYPT_KEYRING": path])
            #expect(run.status == 64)
            #expect(run.errors.contains("$PUSHCRYPT_KEYRING") && !run.errors.contains("OKP"))
        }
        #expect(try tool.names.isEmpty)
    }
}
