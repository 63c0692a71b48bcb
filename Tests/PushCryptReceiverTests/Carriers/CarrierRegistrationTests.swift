import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// Registrations with the tokens of carriers.
@Suite struct CarrierRegistrationTests {
    private let store = TestKeyringStore()
    private let time = TestClock()
    private let folder: RegistrationStateDirectory

    init() throws {
        folder = try RegistrationStateDirectory()
    }

    private func registrar(_ carrier: Carrier) -> DeviceRegistrar {
        DeviceRegistrar(
            store: store, deviceID: "device", directory: folder.path, senderPolicy: .anyone,
            carrier: carrier,
            time: time)
    }

    /// Returns the requests of a call.
    private func requests(
        _ call: (@escaping PushInbox.SendRegistration) async throws -> Void
    ) async throws -> [RegistrationRequest] {
        let sent = LockedValue<[RegistrationRequest]>([])
        try await call { request in
            sent.withLock { $0.append(request) }
            return .accepted(date: nil)
        }
        return sent.withLock { $0 }
    }

    @Test("A request has the carrier and its token, unchanged", arguments: CarrierStandIn.carriers)
    func request(_ carrier: Carrier) async throws {
        let token = CarrierStandIn(carrier).token
        let sent = try await requests {
            try await registrar(carrier).register(DeviceToken(token), with: $0)
        }
        #expect(sent.map(\.deviceToken) == [token] && sent.map(\.carrier) == [carrier])
        let parsed = try #require(sent.first.map { try RegistrationRequest(parsing: $0.json) })
        #expect(parsed.carrier == carrier && parsed.deviceToken == token)
        let again = try await requests {
            try await registrar(carrier).register(DeviceToken(token), with: $0)
        }
        #expect(again.isEmpty)
    }

    @Test("Another carrier is registered, even with the same token") func otherCarrier()
        async throws
    {
        for carrier in [Carrier.firebase, .expo, .apns, .oneSignal] {
            let sent = try await requests {
                try await registrar(carrier).register(DeviceToken("0a"), with: $0)
            }
            #expect(sent.map(\.carrier) == [carrier])
        }
    }

    @Test("The bytes of APNs' token are refused for a carrier with tokens of its own")
    func bytes() async throws {
        for carrier in CarrierStandIn.carriers {
            let usesToken = carrier == .apns
            do {
                let sent = try await requests {
                    try await registrar(carrier).register(DeviceToken([10]), with: $0)
                }
                #expect(usesToken && sent.map(\.deviceToken) == ["0a"])
            } catch {
                #expect(!usesToken && (error as? PushCryptError)?.code == .invalidConfiguration)
            }
        }
    }

    @Test("An empty token is refused") func emptyToken() async throws {
        await #expect(throws: PushCryptError(.missingValue, "")) {
            try await registrar(.expo).register(DeviceToken("")) { _ in .accepted(date: nil) }
        }
    }

    @Test("A push without content asks through each carrier", arguments: CarrierStandIn.carriers)
    func registrationRequest(_ carrier: Carrier) async throws {
        let standIn = CarrierStandIn(carrier)
        var userInfo: [AnyHashable: Any] = standIn.additions
        userInfo["aps"] = ["content-available": 1]
        let asked = UncheckedUserInfo(value: userInfo)
        let sent = try await requests {
            let isAsked = try await registrar(carrier).register(
                ifAskedBy: asked.value, DeviceToken(standIn.token), with: $0)
            #expect(isAsked)
        }
        #expect(sent.map(\.deviceToken) == [standIn.token])
    }

    @Test(
        "A challenge of each carrier is answered with its token and its name",
        arguments: CarrierStandIn.carriers)
    func challenge(_ carrier: Carrier) async throws {
        let standIn = CarrierStandIn(carrier)
        let registrar = registrar(carrier)
        let begun = LockedValue<RegistrationRequest?>(nil)
        try await registrar.register(DeviceToken(standIn.token)) { request in
            begun.withLock { $0 = request }
            return .challenged(date: nil)
        }
        let request = try #require(begun.withLock { $0 })
        let secrets = try ChallengeSecrets(parsing: String(repeating: "A", count: 43))
        let challenge = try RegistrationChallenge(
            for: request, account: "", topic: "com.example.app", secrets: secrets,
            expiration: time.now + 600)
        let sealer = Sealer(.signed(by: try TestKeys.sender()), carrier: carrier, time: time)
        let delivered = UncheckedUserInfo(
            value: try standIn.deliver(try challenge.seal(with: sealer)))
        let answers = try await requests {
            let isAsked = try await registrar.register(
                ifAskedBy: delivered.value, DeviceToken(standIn.token), with: $0)
            #expect(isAsked)
        }
        let answer = try #require(answers.first)
        #expect(
            answer.carrier == carrier && answer.deviceToken == standIn.token && answer.proof != nil)
        let proofs = ProofOfPossession(
            topic: "com.example.app", secrets: secrets, start: time.now, carriers: [carrier])
        guard case .accepted = try proofs.decide(answer, account: "", at: time.now) else {
            Issue.record("The server doesn't accept the answer.")
            return
        }
    }

    /// A dictionary of the system, which isn't `Sendable`.
    private struct UncheckedUserInfo: @unchecked Sendable {
        let value: [AnyHashable: Any]
    }
}
