import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptSender
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// A challenge that comes when the device hasn't begun a registration, as `pushcrypt doctor` sends
/// it.
@Suite struct RepeatedProofTests {
    private let phone: DiagnosedPhone

    init() async throws {
        phone = try DiagnosedPhone()
        phone.askForProofs()
        try await phone.launch()
        try await phone.deliver()
    }

    private var row: Recipient {
        get throws { try #require(phone.server.rows.values.first) }
    }

    /// Returns a challenge for the device's row.
    private func challenge(lifetime: TimeInterval = 60) throws -> [UInt8] {
        let row = try row
        let request = RegistrationRequest(
            registration: row.registration.json, deviceToken: row.deviceToken)
        let secrets = try ChallengeSecrets(parsing: String(repeating: "A", count: 43))
        let challenge = try RegistrationChallenge(
            for: request, account: row.account, topic: ProofServer.topic, secrets: secrets,
            expiration: phone.time.now + lifetime)
        return try challenge.seal(with: Sealer(.signed(by: phone.root), time: phone.time)).payload
    }

    @Test("The device proves its registration again, once an hour") func onceAnHour() async throws {
        let before = try row
        phone.time.advance(by: 3600)
        #expect(try await phone.deliver(challenge()))
        #expect(try row.proved == phone.time.now && row.registration == before.registration)
        #expect(await phone.codes() == [])
        phone.time.advance(by: 3599)
        #expect(try await !phone.deliver(challenge()), "It has answered within the hour.")
        #expect(try row.proved != phone.time.now)
        phone.time.advance(by: 1)
        #expect(try await phone.deliver(challenge()))
        #expect(try row.proved == phone.time.now)
    }

    @Test("An answer that fails leaves the registration to the next launch") func lostAnswer()
        async throws
    {
        phone.time.advance(by: 3600)
        phone.answer = { _ in throw DiagnosedPhone.Lost() }
        await #expect(throws: DiagnosedPhone.Lost.self) { try await phone.deliver(challenge()) }
        phone.answer = nil
        try await phone.launch()
        #expect(try phone.registrar.state.read().begun == nil)
        #expect(await phone.codes() == [])
    }

    @Test("A key that is due is registered instead") func dueKey() async throws {
        for _ in 0..<5 {
            phone.time.advance(by: 86_400)
            try await phone.launch()
        }
        let before = try row
        phone.time.advance(by: 80_000)
        let payload = try challenge()
        await #expect(throws: ProofServer.Refused.self) { try await phone.deliver(payload) }
        try await phone.launch()
        try await phone.deliver()
        #expect(try row.registration.generation > before.registration.generation)
        #expect(await phone.codes() == [])
    }
}
