import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptCLI

/// No command that works on a keyring prints a private key or a passphrase, of a valid keyring or
/// an invalid one.
@Suite(.toolThreads, .thorough) struct SecretsPrintedTests {
    private static let commands = [
        ["keys", "list"], ["keys", "list", "--json"], ["keys", "public"],
        ["keys", "public", "--all"],
        ["keys", "check"],
        ["keys", "prune"], ["keys", "prune", "--leaked", "x"],
        ["keys", "promote", "x"],
        ["keys", "retire", "x"], ["keygen", "--use", "sig"], ["open", "--anyone"],
        ["preview", "--anyone"],
        ["keygen", "--pending"], ["keys", "retire"], ["keygen"], ["keys", "promote"],
    ]

    @Test("No private key is printed") func noPrivateKeyIsPrinted() throws {
        let tool = try PreparedScenario(.rotating).directory()
        var secrets = [try Secrets(in: tool.read(KeyringScenario.file))]
        for command in Self.commands {
            let run = try tool.run(all: command + ["--keyring", KeyringScenario.file], input: "{}")
            secrets.append(try Secrets(in: tool.read(KeyringScenario.file)))
            for secrets in secrets { secrets.expectAbsence(in: run, "\(command)") }
        }
    }

    @Test(
        "No error for a damaged file contains a private key",
        arguments: [
            ("\"d\":\"", "\"d\":\"A"), ("\"d\":\"", "\"d\":\"+"), ("\"d\":\"", "\"d\": "),
            ("\"d\":\"", "\"dd\":\""),
            ("\"d\":\"", "\"k\":\""), ("\"d\":\"", "\"kid\":\""), ("\"d\":\"", "\"state\":\""),
            ("\"d\":\"", "\"x\":\""),
            ("\"state\":\"primary\",\"d\"", "\"state\""),
            ("\"state\":\"primary\",\"d\"", "\"crv\""),
            ("\"kid\":\"", "\"kid\":\"x"), ("\"kty\":\"OKP\"", "\"kty\":\"EC\""),
            ("\"state\":\"retired\"", "\"state\":\"old\""),
            ("\"crv\":\"X25519\"", "\"crv\":\"Ed25519\""), ("\"use\":\"enc\"", "\"use\":\"sig\""),
            ("\"}\n]}", "\""),
            ("\"}\n]}", ""), ("\"generation\":3", "\"generation\":0"),
            ("{\"generation\":3,\"keys\":[", ""),
            ("\"keys\":[", "\"protection\":["), ("\"keys\":", "\"protection\":{},\"keyring\":"),
        ])
    func noErrorForADamagedFileContainsAPrivateKey(_ part: String, _ replacement: String) throws {
        let scenario = try PreparedScenario(.rotating)
        let good = String(decoding: try #require(scenario.contents), as: UTF8.self)
        try #require(good.contains(part))
        let secrets = try Secrets(in: good)
        let tool = try Tool()
        let broken = Data(good.replacingOccurrences(of: part, with: replacement).utf8)
        try tool.writeKeyring(broken)
        let path = tool.path(KeyringScenario.file)
        // The tool prints these reasons, or the public key.
        func text(_ body: () throws(PushCryptError) -> String) -> String {
            do throws(PushCryptError) { return try body() } catch { return error.reason }
        }
        for text in [
            text { () throws(PushCryptError) in
                "\(try KeyringFile<RecipientPrivateKey>(path: path).read().generation)"
            },
            text { () throws(PushCryptError) in
                "\(try KeyringFile<SigningKey>(path: path).createOrRotate(at: Date()).generation)"
            },
            ((try? KeyArgument.recipient(path, for: "--to")) as? RecipientPublicKey)?.jwk ?? "",
        ] {
            #expect(Int(text) == nil, "the damage is overlooked")
            #expect(
                !secrets.texts.contains { text.contains($0.dropFirst(2).dropLast(2)) },
                "a private key is told")
        }
        #expect(
            try Data(contentsOf: tool.directory.appendingPathComponent(KeyringScenario.file))
                == broken)
    }

    @Test(
        "No private key of a damaged file is printed",
        arguments: [
            ("\"d\":\"", "\"d\":\"A"), ("\"d\":\"", "\"kid\":\""),
            ("\"keys\":[", "\"protection\":["),
        ])
    func noPrivateKeyOfADamagedFileIsPrinted(_ part: String, _ replacement: String) throws {
        let scenario = try PreparedScenario(.rotating)
        let good = String(decoding: try #require(scenario.contents), as: UTF8.self)
        let secrets = try Secrets(in: good)
        let tool = try Tool()
        let broken = Data(good.replacingOccurrences(of: part, with: replacement).utf8)
        try tool.writeKeyring(broken)
        for command in [["keys", "check"], ["keys", "list"], ["keygen"], ["open", "--anyone"]] {
            let run = try tool.run(all: command + ["--keyring", KeyringScenario.file], input: "{}")
            #expect(run.status != 0 && run.output.isEmpty, "\(command): \(run.text)")
            secrets.expectAbsence(in: run, "\(command)")
        }
        // As the argument of an option for a public key.
        secrets.expectAbsence(
            in: try tool.run("seal", "--anonymous", "--to", KeyringScenario.file, input: "{}"),
            "seal")
        #expect(
            try Data(contentsOf: tool.directory.appendingPathComponent(KeyringScenario.file))
                == broken)
    }

    @Test("No passphrase is printed") func noPassphraseIsPrinted() throws {
        let tool = try Tool()
        let passphrase = "open sesame, and more words"
        for (name, text) in [
            ("right", passphrase + "\n"), ("wrong", passphrase + "!\n"), ("empty", "\n"),
        ] {
            try tool.write(text, to: name, mode: 0o600)
        }
        let new = ["keygen", "--protect", "--passphrase-file", "empty"]
        #expect(try tool.run(all: new + ["--keyring", KeyringScenario.file]).status == 1)
        try tool.createKeyring(KeyringScenario.file, of: RecipientPrivateKey.self)
        try tool.protect(KeyringScenario.file, with: passphrase, RecipientPrivateKey.self)
        for command in [
            ["keygen", "--passphrase-file", "right"],
            ["keys", "check", "--passphrase-file", "wrong"],
            ["keys", "check", "--passphrase-file", "empty"], ["keygen", "--passphrase-fd", "0"],
            ["keys", "list", "--passphrase-fd", "9"], ["keys", "list"],
        ] {
            let run = try tool.run(
                all: command + ["--keyring", KeyringScenario.file], input: passphrase + "?")
            #expect(!(run.text + run.errors).contains("sesame"), "\(command)")
            #expect((run.status == 0) == (command.last == "right"), "\(command): \(run.errors)")
        }
    }
}
