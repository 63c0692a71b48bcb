import Foundation
import PushCryptTesting
import TestSupport
import Testing

@Suite(.toolThreads) struct KeygenTests {
    private let tool: Tool

    init() throws {
        tool = try Tool()
    }

    private func keyring(_ name: String) throws -> Keyring<RecipientPrivateKey> {
        try KeyringFile(path: tool.path(name)).read()
    }

    @Test("A keyring is created and its public key printed")
    func aKeyringIsCreatedAndItsPublicKeyPrinted() throws {
        let run = try tool.run("keygen", "--keyring", "device.jwks")
        #expect(run.status == 0)
        let ring = try keyring("device.jwks")
        #expect(run.text == ring.primary.key.publicKey.jwk + "\n")
        #expect(ring.generation == 1)
        #expect(try tool.mode("device.jwks") == 0o600)
        #expect(try tool.names == ["device.jwks", "device.jwks.lock"])
        let secret = try #require(
            try tool.read("device.jwks").components(separatedBy: #""d":""#).last?.prefix(43))
        #expect(
            !run.text.contains(secret) && !run.errors.contains(secret)
                && !run.text.contains(#""d""#))
    }

    @Test("An existing keyring is rotated and keeps its keys")
    func anExistingKeyringIsRotatedAndKeepsItsKeys() throws {
        let first = try tool.createDevice()
        let run = try tool.run("keygen", "--keyring", "device.jwks")
        #expect(run.status == 0)
        let ring = try keyring("device.jwks")
        #expect(ring.generation == 2)
        #expect(ring.primary.key.publicKey != first)
        #expect(ring.retired.map(\.key.publicKey) == [first])
        #expect(run.text == ring.primary.key.publicKey.jwk + "\n")
        #expect(try tool.mode("device.jwks") == 0o600)
    }

    @Test("A keyring of a newer version isn't changed", arguments: [[], ["--pending"]])
    func newerKeyringIsntChanged(_ options: [String]) throws {
        _ = try tool.createDevice()
        let newer = try tool.read("device.jwks")
            .replacingOccurrences(of: #"{"generation""#, with: #"{"version":2,"generation""#)
        try tool.write(newer, to: "device.jwks", mode: 0o600)
        let run = try tool.run(all: ["keygen", "--keyring", "device.jwks"] + options)
        #expect(
            run.status == 1 && run.output.isEmpty && run.errors.contains("[newer-format]"),
            "\(run.errors)")
        #expect(try tool.read("device.jwks") == newer)
        #expect(try tool.run("keys", "public", "--keyring", "device.jwks").status == 0)
    }

    @Test(
        "A signing key is replaced only with --now, and otherwise nothing changes", .thorough,
        arguments: [true, false])
    func signingKeysAreReplacedWithNow(isProtected: Bool) throws {
        #expect(try tool.run("keygen", "--use", "sig", "--keyring", "server.jwks").status == 0)
        try tool.write("secret", to: "passphrase", mode: 0o600)
        let passphrase = isProtected ? ["--passphrase-file", "passphrase"] : []
        if isProtected { try tool.protect("server.jwks", with: "secret", SigningKey.self) }
        let before = try tool.read("server.jwks")
        for arguments in [[], ["--use", "sig"]] {
            let run = try tool.run(
                all: ["keygen", "--keyring", "server.jwks"] + arguments + passphrase)
            #expect(
                run.status == 64 && run.output.isEmpty && run.errors.contains("[risky-change]"),
                "\(run.errors)")
            #expect(run.errors.contains("Add '--pending'") && run.errors.contains("'--now'"))
        }
        #expect(try tool.read("server.jwks") == before)
        let run = try tool.run(all: ["keygen", "--now", "--keyring", "server.jwks"] + passphrase)
        #expect(
            run.status == 0 && run.errors.contains("to generation 2; the old key still signs"),
            "\(run.errors)")
        let list = try tool.run(all: ["keys", "list", "--keyring", "server.jwks"] + passphrase)
        #expect(list.text.contains("sig  primary") && list.text.contains("sig  retired"))
    }

    @Test("--now needs an existing keyring", .thorough) func nowNeedsAKeyring() throws {
        #expect(try tool.run("keygen", "--now", "--keyring", "server.jwks").status == 1)
        #expect(try tool.names.isEmpty)
        for other in ["--pending", "--new", "--protect"] {
            #expect(try tool.run("keygen", "--now", other, "--keyring", "server.jwks").status == 64)
        }
        try tool.createDevice()
        #expect(try tool.run("keygen", "--now", "--keyring", "device.jwks").status == 0)
        #expect(try keyring("device.jwks").generation == 2)
    }

    @Test("A keyring of another use is not changed") func aKeyringOfAnotherUseIsNotChanged() throws
    {
        try tool.createServer()
        let before = try tool.read("server.jwks")
        let run = try tool.run("keygen", "--use", "enc", "--keyring", "server.jwks")
        #expect(run.status == 1)
        #expect(run.text.isEmpty)
        #expect(run.errors.hasPrefix("pushcrypt: error: "))
        #expect(try tool.read("server.jwks") == before)
    }

    @Test(
        "An invalid keyring is not changed",
        arguments: ["", "not a keyring", #"{"keys":[]}"#, "{}"])
    func anInvalidKeyringIsNotChanged(contents: String) throws {
        try tool.write(contents, to: "notes.jwks", mode: 0o600)
        let run = try tool.run("keygen", "--keyring", "notes.jwks")
        #expect(run.status == 1)
        #expect(run.text.isEmpty)
        #expect(try tool.read("notes.jwks") == contents)
    }

    @Test("A keyring that other users may read is refused with the fix")
    func aKeyringThatOtherUsersMayReadIsRefused() throws {
        try tool.createDevice()
        try tool.setMode(0o644, of: "device.jwks")
        let run = try tool.run("keygen", "--keyring", "device.jwks")
        #expect(run.status == 1)
        #expect(run.errors.contains("chmod 600 device.jwks"))
    }

    @Test("The keyring comes from the environment or the directory Keys")
    func theKeyringComesFromTheEnvironmentOrADirectory() throws {
        #expect(try tool.run("keygen").status == 0)
        #expect(try tool.mode("Keys/keyring.jwks") == 0o600)
        #expect(
            try tool.run("keygen", environment: ["PUSHCRYPT_KEYRING": "other.jwks"]).status == 0)
        #expect(try tool.mode("other.jwks") == 0o600)
        #expect(
            try tool.run("keys", "public").text == keyring("Keys/keyring.jwks").primary.key
                .publicKey.jwk + "\n")
    }

    @Test("keys public prints the primary key of either use") func keysPublicPrintsThePrimaryKey()
        throws
    {
        let (device, server) = (try tool.createDevice(), try tool.createServer())
        #expect(
            try tool.run("keys", "public", "--keyring", "device.jwks").text == device.jwk + "\n")
        #expect(
            try tool.run("keys", "public", "--keyring", "server.jwks").text == server.jwk + "\n")
        let missing = try tool.run("keys", "public", "--keyring", "c.jwks")
        #expect(missing.status == 1)
        let advice = "Name your keyring, restore it, or create one with 'pushcrypt keygen'."
        #expect(missing.errors.contains("keyring c.jwks does not exist. \(advice)"))
    }

    @Test("The path from the environment is checked") func thePathFromTheEnvironmentIsChecked()
        throws
    {
        for path in [#"{"kty":"OKP"}"#, "a\nb"] {
            let run = try tool.run("keygen", environment: ["PUSHCRYPT_KEYRING": path])
            #expect(run.status == 64)
            #expect(run.errors.contains("$PUSHCRYPT_KEYRING") && !run.errors.contains("OKP"))
        }
        #expect(try tool.names.isEmpty)
    }
}
