import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptKeyring

/// The keys that `--signed-by` accepts: several options, JWK Sets, and JWKs on lines.
@Suite(.toolThreads, .thorough) struct SignedByTests {
    private static let payload = #"{"aps":{"alert":"Hello"}}"#
    private let tool: Tool
    /// The server's keys as `keys public --all` prints them: the primary, a pending and a retired
    /// one.
    private let keys: [VerificationKey]

    init() throws {
        tool = try Tool()
        try tool.createDevice()
        try tool.write(Self.payload, to: "payload.json")
        let file = KeyringFile<SigningKey>(path: tool.path("server.jwks"))
        _ = try file.createOrRotate(at: Date())
        try tool.createSealed("retired.json")
        _ = try file.createOrRotate(at: Date())
        try tool.createSealed("primary.json")
        _ = try file.update { (ring) throws(PushCryptError) in try ring.addPendingKey(at: Date()) }
        let all = try tool.run("keys", "public", "--all", "--keyring", "server.jwks")
        try tool.write(all.text, to: "all.jwk")
        keys = try all.text.split(separator: "\n").map { try VerificationKey(parsing: String($0)) }
        try #require(keys.count == 3)
        try tool.write(Self.set(keys), to: "all.jwks")
    }

    private static func set(_ keys: [VerificationKey]) -> String {
        "{\n  \"keys\": [\n    \(keys.map(\.jwk).joined(separator: ",\n    "))\n  ]\n}\n"
    }

    private func open(_ name: String, _ accepted: String...) throws -> Tool.Run {
        try tool.run(
            all: ["open", "--keyring", "device.jwks"] + accepted.flatMap { ["--signed-by", $0] } + [
                name
            ])
    }

    private func serverKeys(_ accepted: String...) throws -> [Any] {
        let options = accepted.flatMap { ["--signed-by", $0] }
        let run = try tool.run(
            all: ["xcode", "write", "--bundle-id", "com.example.app", "-o", "project"] + options)
        try #require(run.status == 0, "\(run.errors)")
        defer { try? FileManager.default.removeItem(atPath: tool.path("project")) }
        let check = try tool.run("xcode", "check", "project")
        #expect(check.status == 0, "\(check.text)")
        return try ["App-Info.plist", "NotificationService/Info.plist"].map { path in
            let data = try Data(contentsOf: URL(fileURLWithPath: tool.path("project/\(path)")))
            let list =
                try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
                as? [String: Any]
            return try #require(list?["PushCryptServerKey"])
        }
    }

    private static func raw(_ key: VerificationKey) -> String {
        Base64URL.encode(key.rawRepresentation)
    }

    // MARK: Opening

    @Test(
        "All keys of a file are accepted",
        arguments: LongRun.cases(["all.jwk", "all.jwks", "server.jwks"], usually: 1))
    func allKeysOfAFileAreAccepted(file: String) throws {
        for sealed in ["primary.json", "retired.json"] {
            let run = try open(sealed, file)
            #expect(run.status == 0 && run.text == Self.payload, "\(run.errors)")
            let shown = try tool.run(
                "preview", "--keyring", "device.jwks", "--signed-by", file, sealed)
            #expect(shown.status == 0 && shown.text.contains("Hello"), "\(shown.errors)")
        }
        let lines = try ["primary.json", "retired.json"].map {
            #"{"payload":\#(try tool.read($0))}"# + "\n"
        }
        let opened = try tool.run(
            "open", "--lines", "--keyring", "device.jwks", "--signed-by", file,
            input: lines.joined())
        let original = #"{"payload":\#(Self.payload)}"# + "\n"
        #expect(opened.status == 0 && opened.text == original + original)
    }

    @Test("Blank lines, carriage returns, raw keys and sets are lines too")
    func linesHaveEveryForm() throws {
        let compact = Self.set([keys[2]]).split(separator: "\n").joined()
        for text in [
            "\n \n\(keys[0].jwk)\r\n\r\n\t\(Self.raw(keys[2])) \r\n",
            "\(Self.raw(keys[0]))\n\(Self.raw(keys[2]))",
            "\(keys[0].jwk)\n\(compact)\n",
        ] {
            try tool.write(text, to: "lines.jwk")
            for sealed in ["primary.json", "retired.json"] {
                #expect(try open(sealed, "lines.jwk").status == 0, "\(text)")
                #expect(try open(sealed, text).status == 0, "\(text)")
            }
        }
    }

    @Test("One key may have several lines") func oneKeyMayHaveSeveralLines() throws {
        try tool.write(
            keys[0].jwk.replacing(",", with: ",\n  ").replacing("{", with: "{\n"), to: "long.jwk")
        #expect(try open("primary.json", "long.jwk").status == 0)
        #expect(try open("retired.json", "long.jwk").errors.contains("[unknown-signer]"))
    }

    @Test("The keys of all options are accepted, and no others")
    func theKeysOfAllOptionsAreAccepted() throws {
        for sealed in ["primary.json", "retired.json"] {
            #expect(try open(sealed, Self.raw(keys[2]), keys[0].jwk).status == 0)
            #expect(try open(sealed, keys[1].jwk).errors.contains("[unknown-signer]"))
        }
    }

    // MARK: Xcode

    @Test("An Info.plist gets all keys, each once") func anInfoPlistGetsAllKeys() throws {
        let all = keys.map(Self.raw)
        for value in try serverKeys("all.jwk", "all.jwks", all[1]) {
            #expect(value as? [String] == all)
        }
        for value in try serverKeys(all[2], all[0]) {
            #expect(value as? [String] == [all[2], all[0]])
        }
        for value in try serverKeys(all[0], keys[0].jwk) { #expect(value as? String == all[0]) }
    }

    @Test("An Info.plist needs a key") func anInfoPlistNeedsAKey() throws {
        let run = try tool.run("xcode", "write", "--bundle-id", "com.example.app")
        #expect(run.status == 64 && run.errors.contains("--signed-by"))
    }

    // MARK: Errors

    @Test("An error names the option, the file, and the line or the key")
    func anErrorNamesItsPlace() throws {
        let device = try tool.read("device.jwk")
        let key = keys[0].jwk
        for (text, wanted) in [
            ("\(key)\n\n\(device)\n", "line 3: This is an X25519 key. Use an Ed25519 key"),
            ("\(key)\nx\n", "line 2: The text is not a key. Use "), ("\(key)\n{\n", "line 2: "),
            (
                #"{"keys":[\#(key),\#(device)]}"#,
                "key 2 of 2: This is an X25519 key. Use an Ed25519 key"
            ),
            (#"{"keys":[]}"#, "The JWK Set has no keys. Add a key."),
            ("", "The text is empty. Use "),
            ("-----BEGIN PUBLIC KEY-----\nMCow\n", "The text is PEM, not a JWK. Use "),
        ] {
            try tool.write(text, to: "bad.jwk")
            let run = try open("primary.json", "all.jwk", "bad.jwk")
            #expect(run.status == 1 && run.output.isEmpty)
            #expect(
                run.errors.hasPrefix("pushcrypt: error: --signed-by bad.jwk: \(wanted)"),
                "\(run.errors)")
        }
    }

    @Test("A recipient is the primary key of a set") func aRecipientIsThePrimaryKey() throws {
        try tool.run("keygen", "--keyring", "device.jwks").expectSuccess()
        let sealed = try tool.run("seal", "--to", "device.jwks", "--anonymous", "payload.json")
        #expect(sealed.status == 0)
        let all = try tool.run("keys", "public", "--all", "--keyring", "device.jwks").text
        try tool.write(all, to: "devices.jwk")
        #expect(
            try tool.run("seal", "--to", "devices.jwk", "--anonymous", "payload.json").status == 1)
    }
}

extension Tool {
    /// Seals `payload.json` for the device, signed by the server.
    fileprivate func createSealed(_ name: String) throws {
        try run(
            "seal", "--to", "device.jwk", "--sign-with", "server.jwks", "-o", name, "payload.json"
        ).expectSuccess()
    }
}

extension Tool.Run {
    fileprivate func expectSuccess() { #expect(status == 0, "\(errors)") }
}
