import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// The key with which `seal` signs for a device.
@Suite(.toolThreads, .thorough) struct SignerChoiceTests {
    private let server: ServerDirectory
    private let second: VerificationKey
    private let pending: VerificationKey

    init() throws {
        server = try ServerDirectory()
        second = try server.rotate()
        pending = try server.addPending()
    }

    private static let payload = #"{"aps":{"alert":"a"}}"#
    private static let bareHint =
        "hint: the device doesn't tell which keys it accepts, so the primary key "

    private func seal(_ registration: String) throws -> Tool.Run {
        try server.tool.write(registration, to: "to.json")
        return try server.tool.run(
            "seal", "--to", "to.json", "--sign-with", "server.jwks", input: Self.payload)
    }

    @Test("The primary key signs if the device accepts it, otherwise the newest retired one")
    func choice() throws {
        for (accepted, signer) in [
            ([server.first, second, pending], second), ([second], second),
            ([server.first, pending], server.first),
        ] {
            let run = try seal(server.registration(accepting: accepted))
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            #expect(
                try server.open(Array(run.output), signedBy: [signer]) == Array(Self.payload.utf8))
        }
        for accepted in [[pending], [try SigningKey().publicKey]] {
            let run = try seal(server.registration(accepting: accepted))
            #expect(
                run.status == 65 && run.output.isEmpty && run.errors.contains("[no-accepted-key]"))
        }
    }

    @Test("A key alone gets the primary key's signature, and a hint") func bare() throws {
        for to in [server.registration(accepting: nil), try server.tool.read("device.jwk")] {
            let run = try seal(to)
            #expect(
                run.status == 0 && run.errors.contains("\(Self.bareHint)\(second.keyID) signs"),
                "\(run.errors)")
            #expect(
                try server.open(Array(run.output), signedBy: [second]) == Array(Self.payload.utf8))
        }
        // With one key, there is nothing to choose.
        try FileManager.default.removeItem(atPath: server.tool.path("server.jwks"))
        try server.tool.createServer()
        #expect(try seal(server.registration(accepting: nil)).errors.isEmpty)
    }

    @Test("Lines are signed for their devices, and the hint comes once") func lines() throws {
        let registrations = [[server.first], [second], nil, nil, [pending]].map {
            server.registration(accepting: $0)
        }
        let lines = registrations.map { #"{"to":\#($0),"payload":\#(Self.payload)}"# }.joined(
            separator: "\n")
        let run = try server.tool.run(
            "seal", "--lines", "--sign-with", "server.jwks", input: lines + "\n")
        #expect(run.status == 65)
        #expect(run.errors.components(separatedBy: Self.bareHint).count == 2, "\(run.errors)")
        let answers = try run.text.split(separator: "\n").map {
            try JSONValue(parsing: Array($0.utf8))
        }
        for (answer, signer) in zip(answers, [server.first, second, second, second]) {
            let sealed = try JSONText.encoded(#require(answer["payload"]))
            #expect(try server.open(sealed, signedBy: [signer]) == Array(Self.payload.utf8))
        }
        #expect(answers.count == 5 && answers[4]["error"]?["code"] == "no-accepted-key")
    }
}
