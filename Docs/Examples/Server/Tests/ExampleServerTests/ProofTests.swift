import Foundation
import Hummingbird
import PushCryptTesting
import Testing

@testable import ExampleServer

/// A server that asks for proofs.
struct ProofTests {
    /// Registers a device, and answers the challenge that comes.
    private func prove(
        _ device: Device, _ client: Client, _ apns: FakeAPNs, as token: String = "annas-secret"
    )
        async throws
    {
        let before = apns.sent.count
        try await device.register(with: client, as: token)
        try await client.settle()
        let challenge = try #require(
            apns.sent.dropFirst(before).last { $0.deviceToken == device.deviceToken })
        #expect(try await device.register(ifAskedBy: challenge, with: client, as: token))
    }

    @Test func registrationCountsAfterItsProof() async throws {
        let (server, device, apns) = (try TestServer(hasProofs: true), try Device(1), FakeAPNs())
        try await server.run(apns) { client in
            try await device.register(with: client)
            #expect(try await client.devices() == 0, "An unproved device gets no message.")
            try await client.settle()
            let challenge = try #require(apns.sent.first)
            #expect(challenge.headers.pushType == .background)
            #expect(try await device.register(ifAskedBy: challenge, with: client))
            #expect(try await client.devices() == 1)
            try await client.settle()
            let message = try #require(apns.sent.last)
            #expect(
                try device.open(message, signedBy: server.signingKey)
                    == #"{"aps":{"alert":"count"}}"#)
            let list = try await client.request(.get, "/registrations", as: "annas-secret")
            let text = String(decoding: Data(list.body.readableBytesView), as: UTF8.self)
            #expect(text.contains(#""isProved":true"#) && text.contains(#""token":"01010101""#))
            #expect(!text.contains(device.deviceToken))
        }
    }

    @Test func foreignKeyAndForeignTokenStayOut() async throws {
        let (server, owner, apns) = (try TestServer(hasProofs: true), try Device(2), FakeAPNs())
        try await server.run(apns) { client in
            try await prove(owner, client, apns)
            let key = try owner.primaryKey().publicKey
            // A thief of the session registers another key under the owner's token.
            let thief = try Device(2)
            let foreign = try await thief.registration()
            #expect(
                try await client.register(foreign, owner.deviceToken, as: "annas-secret").status
                    != .noContent)
            // Ben registers the owner's key and token in his own account.
            let registration = try await owner.registration()
            #expect(
                try await client.register(registration, owner.deviceToken, as: "bens-secret").status
                    == .accepted)
            try await client.settle()
            let challenge = try #require(apns.sent.last)
            await #expect(throws: (any Error).self) {
                // The owner's app answers it, if at all, in the owner's session.
                guard try await owner.register(ifAskedBy: challenge, with: client) else {
                    throw CancellationError()
                }
            }
            #expect(try await client.devices(of: "ben") == 0)
            #expect(try await server.store().devices(of: "anna").map(\.key) == [key])
        }
    }

    @Test func aNewDeviceIsAnnouncedToTheOldOnes() async throws {
        let (server, old, apns) = (try TestServer(hasProofs: true), try Device(3), FakeAPNs())
        try await server.run(apns) { client in
            try await prove(old, client, apns)
            let before = apns.sent.count
            try await prove(Device(4), client, apns)
            try await client.settle()
            let notices = apns.sent.dropFirst(before).filter { $0.deviceToken == old.deviceToken }
            #expect(notices.count == 1)
            let notice = try #require(notices.first)
            #expect(try old.open(notice, signedBy: server.signingKey).contains("New device"))
        }
    }

    @Test func challengesToATokenAreLimitedOverAllUsers() async throws {
        let (server, device) = (try TestServer(hasProofs: true), try Device(5))
        try await server.run { client in
            let registration = try await device.registration()
            for number in 1...20 {
                let user = number % 2 == 0 ? "annas-secret" : "bens-secret"
                let answer = try await client.register(registration, device.deviceToken, as: user)
                #expect(answer.status == .accepted)
            }
            for user in ["annas-secret", "bens-secret"] {
                let answer = try await client.register(
                    registration, device.deviceToken.uppercased(), as: user)
                #expect(answer.status == .tooManyRequests)
            }
            server.clock.advance(by: 24 * 3600)
            let answer = try await client.register(
                registration, device.deviceToken, as: "annas-secret")
            #expect(answer.status == .accepted)
        }
    }

    @Test func aVisibleChallengeAboveTheLimitIsASilentOne() async throws {
        let (server, device, apns) = (try TestServer(hasProofs: true), try Device(7), FakeAPNs())
        try await server.run(apns) { client in
            let request = RegistrationRequest(
                registration: try await device.registration(), deviceToken: device.deviceToken,
                wantsVisibleChallenge: true)
            for user in ["bens-secret", "annas-secret"] {
                let answer = try await client.request(
                    .post, "/registrations", as: user, request.json)
                #expect(answer.status == .accepted)
            }
            try await client.settle()
            let isSilent = apns.sent.map {
                String(decoding: $0.payload, as: UTF8.self).contains("content-available")
            }
            #expect(isSilent == [false, true])
        }
    }

    @Test func aRowFromBeforeGetsMessagesForThirtyDays() async throws {
        let (server, device) = (try TestServer(hasProofs: true), try Device(6))
        let start = try #require(try server.settings.possession?.start)
        let row = try Recipient(
            registration: Registration(parsing: try await device.registration()),
            deviceToken: device.deviceToken,
            account: "anna", registered: start - 1)
        let json = String(decoding: try JSONEncoder().encode(row), as: UTF8.self)
        try await server.store().database.write { database in
            try database.execute(
                sql:
                    """
                    INSERT INTO recipient (account, device_token, recipient, registered)
                        VALUES (?, ?, ?, ?)
                    """,
                arguments: ["anna", device.deviceToken, json, row.registered.milliseconds])
        }
        try await server.run { client in
            let devices = try await client.devices()
            #expect(devices == 0, "The 30 days are over.")
        }
    }
}
