import Foundation
import PushCryptTesting
import Testing

@testable import ExampleServer
@testable import PushCryptAPNs

struct SignerListTests {
    private static let payload = #"{"aps":{"alert":"Card payment"}}"#

    private let server: TestServer
    private let root: SigningKey
    /// The key that signs at first.
    private let first: SigningKey

    init() async throws {
        server = try TestServer()
        try await server.run { _ in }
        first = try server.keyring.read().primary.key
        root = try SigningKey()
    }

    /// Returns a device whose app pins the offline root and the first signing key.
    private func device(_ byte: UInt8) throws -> Device {
        try Device(byte, senderPolicy: .signed(by: root.publicKey, first.publicKey))
    }

    @Test func eachDeviceGetsAKeyThatItAccepts() async throws {
        let (server, apns, old, new) = (server, FakeAPNs(), try device(1), try device(2))
        try await server.run { try await old.register(with: $0) }
        try server.keyring.update { (ring) throws(PushCryptError) in
            try ring.addPendingKey(at: server.clock.now)
        }
        try server.announce(signedBy: root)
        try await server.run { try await new.register(with: $0) }
        try server.keyring.update { (ring) throws(PushCryptError) in
            try ring.promote(ring.pending[0].key.publicKey.keyID, at: server.clock.now)
        }
        try await server.run(apns) { client in
            #expect(try await client.post(Self.payload).number("devices") == 2)
            try await client.settle()
        }
        for (device, key) in [(old, first.publicKey), (new, try server.signingKey)] {
            let sent = try #require(apns.sent.first { $0.deviceToken == device.deviceToken })
            let push = try device.open(sent)
            #expect(push.signer == key.keyID)
            #expect(push.payload == Array(Self.payload.utf8))
        }
        #expect(try server.signingKey != first.publicKey)
    }

    @Test func revokedKeyLeavesAPlaceholderUntilTheAppRegisters() async throws {
        let (server, apns, device) = (server, FakeAPNs(), try device(3))
        let list = try server.announce(signedBy: root)
        try await server.run { try await device.register(with: $0) }
        try server.keyring.update { (ring) throws(PushCryptError) in
            try ring.revoke(ring.primary.key.publicKey.keyID, at: server.clock.now)
        }
        try server.announce(signedBy: root, after: list)
        try await server.run(apns) { client in
            #expect(try await client.post(Self.payload).number("devices") == 1)
            try await client.settle()
            let request = try await client.request(
                .post, "/registration-requests?id=\(UUID())", as: "operator-secret")
            #expect(request.status == .accepted)
            #expect(try request.number("devices") == 1)
            try await client.settle()
            let sent = try #require(apns.sent.last)
            #expect(try await device.register(ifAskedBy: sent, with: client))
            #expect(try await client.post(Self.payload).number("devices") == 1)
            try await client.settle()
        }
        try #require(apns.sent.count == 3)
        let (placeholder, request, text) = (apns.sent[0], apns.sent[1], apns.sent[2])
        #expect(
            String(decoding: placeholder.payload, as: UTF8.self)
                == #"{"aps":{"alert":{"body":"(Encrypted)"},"mutable-content":1}}"#)
        #expect(placeholder.headers.pushType == .alert)
        let week = server.clock.now + 7 * 24 * 3600
        #expect(
            placeholder.headers.expiration
                == .at(Date(timeIntervalSince1970: Double(week.milliseconds) / 1000)))
        #expect(
            request.headers.pushType == .background && request.headers.priority == .consideringPower
        )
        let push = try device.open(text)
        #expect(push.signer == (try server.signingKey.keyID))
        #expect(push.payload == Array(Self.payload.utf8))
    }

    @Test func onlyListsWithThePrimaryKeyAreHandedOut() async throws {
        let (server, device) = (server, try device(4))
        let other = try SigningKey()
        let now = server.clock.now
        let unlisted = try SignerList(
            keys: [other.publicKey], issued: now, expiration: now + 3600, signedBy: Signer(root)
        ).text
        let listed = try server.announce(signedBy: root).text
        try await server.run { client in
            for (lines, handedOut) in [
                ([unlisted, "", "no list", listed], [listed]), ([unlisted], []),
                ([listed], [listed]), ([], []),
            ] {
                try server.handOut(lines)
                let answer = try await client.register(
                    device.registration(), device.deviceToken, as: "annas-secret")
                #expect(answer.status == (handedOut.isEmpty ? .noContent : .ok))
                #expect(answer.headers[.date] != nil)
                #expect(try answer.lists() == handedOut)
            }
            // A stale registration is answered as before.
            let registration = try await device.registration()
            let answer = try await client.register(
                registration.withGeneration(1), device.deviceToken, as: "annas-secret")
            #expect(answer.status == .conflict)
        }
    }

    @Test func requestsForRegistrationsAreSpreadAndRepeatable() async throws {
        let (server, device, apns) = (server, try device(5), FakeAPNs())
        let (store, id, devices) = (try server.store(), UUID(), Limits.rows + 2)
        try await server.run(apns) { client in
            try await device.register(with: client)
            for number in 1..<devices { try store.addDevice(number, registered: server.clock.now) }
            for token in [nil, "annas-secret"] {
                let answer = try await client.request(
                    .post, "/registration-requests?id=\(id)", as: token)
                #expect(answer.status == .unauthorized)
            }
            for query in ["", "?id=1"] {
                let answer = try await client.request(
                    .post, "/registration-requests" + query, as: "operator-secret")
                #expect(answer.status == .badRequest)
            }
            for _ in 0..<2 {
                let answer = try await client.request(
                    .post, "/registration-requests?id=\(id)", as: "operator-secret")
                #expect(try answer.number("devices") == devices)
            }
            try await client.settle(waiting: devices - 1)
            server.clock.advance(by: Double(devices))
            try await client.settle()
        }
        #expect(Set(apns.sent.map(\.deviceToken)).count == devices)
        #expect(apns.sent.count == devices)
        let period = try store.number("SELECT max(next_attempt) - min(next_attempt) FROM outbox")
        #expect(period == 1000 * (devices - 1) / Int(Limits.requestsPerSecond))
    }
}
