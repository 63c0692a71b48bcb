import Foundation
import PushCryptSender
import PushCryptTesting
import Testing

/// `pushcrypt registration`.
@Suite(.toolThreads) struct RegistrationCommandTests {
    private let tool: Tool
    private let device: String

    init() throws {
        tool = try Tool()
        device = try tool.createDevice().jwk
    }

    private func registration(_ options: String...) throws -> Registration {
        let run = try tool.run(all: ["registration", "--keyring", "device.jwks"] + options)
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.text.hasSuffix("}\n") && run.text.filter { $0 == "\n" }.count == 1)
        return try Registration(parsing: run.text)
    }

    @Test("The registration has the primary key and the generation, and seals") func primaryKey()
        throws
    {
        let before = try tool.read("device.jwks")
        let registration = try registration()
        #expect(registration.key.jwk == device && registration.signers == nil)
        #expect(registration.lifetime == 30 * 24 * 3600)
        #expect(try tool.read("device.jwks") == before)
        try tool.write(registration.json, to: "registration.json")
        try tool.createServer()
        let sealed = try tool.run(
            "seal", "--to", "registration.json", "--sign-with", "server.jwks",
            input: #"{"aps":{"alert":"a"}}"#)
        #expect(sealed.status == 0)
        let opened = try tool.run(
            "open", "--keyring", "device.jwks", "--signed-by", "server.jwk", input: sealed.text)
        #expect(opened.text == #"{"aps":{"alert":"a"}}"#)
    }

    @Test("A pending key is the one to register") func pendingKey() throws {
        let pending = try tool.run("keygen", "--keyring", "device.jwks", "--pending").text
        let registration = try registration()
        #expect(registration.key.jwk == pending.trimmingCharacters(in: .newlines))
        #expect(registration.generation == 2)
    }

    @Test("The lifetime and the accepted keys are options") func options() throws {
        try tool.createServer()
        let registration = try registration("--lifetime", "7d", "--signed-by", "server.jwk")
        #expect(registration.lifetime == 7 * 24 * 3600)
        let key = try VerificationKey(parsing: try tool.read("server.jwk"))
        #expect(
            registration.signers?.contains(key) == true && registration.signers?.kids.count == 1)
    }

    @Test(
        "A wrong option has a clear error",
        arguments: [
            (["--lifetime", "31d"], Int32(64), "[invalid-lifetime]"),
            (["--lifetime", "x"], 64, "7d"),
            (["--signed-by", "missing.jwk"], 1, "[file-not-found]"),
        ])
    func wrongOptions(options: [String], status: Int32, text: String) throws {
        let run = try tool.run(all: ["registration", "--keyring", "device.jwks"] + options)
        #expect(
            run.status == status && run.errors.contains(text) && run.output.isEmpty, "\(run.errors)"
        )
    }

    @Test("A server's keyring has no registration") func serverKeyring() throws {
        try tool.createServer()
        let run = try tool.run("registration", "--keyring", "server.jwks")
        #expect(run.status == 1 && run.errors.contains("[wrong-key-type]"), "\(run.errors)")
    }
}
