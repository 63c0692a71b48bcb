#if APNs
import Foundation
import PushCryptKeyring
import PushCryptSender
import PushCryptTesting
import PushCryptAPNsTesting
import Testing

@testable import PushCryptAPNs

/// Pushes to stored recipients, while proofs are required.
@Suite struct RecipientTests {
    private let key = try? TestKeys.device().publicKey
    private let start = Date() - 60 * 24 * 3600

    private func recipient(proved: Date?, carrier: Carrier = .apns, age: TimeInterval = 0) throws
        -> Recipient
    {
        let registration = Registration(key: try #require(key), generation: 1, created: Date())
        return try Recipient(
            registration: registration, deviceToken: Fixture.device, carrier: carrier,
            registered: Date() - age,
            proved: proved)
    }

    private func code(_ proofs: ProofRequirement, _ recipient: Recipient) async throws
        -> PushCryptError.Code?
    {
        let server = try await TestAPNsServer()
        let environment = try APNsEnvironment(
            host: server.host, port: server.port, trusting: Certificates.authority)
        let client = try APNsClient(Fixture.credentials(), environment: environment, proofs: proofs)
        let headers = APNsHeaders(topic: "com.example.app")
        let push = try Sealer(.anonymous).seal(
            json: #"{"aps":{"alert":"a"}}"#, for: recipient.key, headers: headers)
        var code: PushCryptError.Code?
        do throws(APNsError) {
            _ = try await client.send(push, to: recipient)
        } catch {
            code = error.code
            #expect(!error.mayBeAccepted && error.advice == .fixRequest)
        }
        #expect(server.record.accepted == (code == nil ? 1 : 0))
        await client.shutDown()
        try await server.stop()
        return code
    }

    @Test("A client that requires proofs refuses a recipient without one, and sends nothing")
    func unproved()
        async throws
    {
        let required = ProofRequirement.required(since: start)
        #expect(try await code(required, recipient(proved: nil)) == .unprovedRecipient)
        #expect(try await code(required, recipient(proved: Date())) == nil)
        #expect(try await code(.notRequired, recipient(proved: nil)) == nil)
    }

    @Test("A row from before is accepted for 30 days") func before() async throws {
        let old = try recipient(proved: nil, age: 40 * 24 * 3600)
        #expect(try await code(.required(since: Date() - 29 * 24 * 3600), old) == nil)
        #expect(
            try await code(.required(since: Date() - 31 * 24 * 3600), old) == .unprovedRecipient)
    }

    @Test("The token of another service isn't sent to APNs") func otherService() async throws {
        let other = try recipient(proved: Date(), carrier: Carrier(rawValue: "expo"))
        #expect(try await code(.notRequired, other) == .invalidDeviceToken)
    }
}
#endif
