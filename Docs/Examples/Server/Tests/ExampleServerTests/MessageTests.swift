import Foundation
import PushCryptTesting
import Synchronization
import Testing

@testable import ExampleServer

struct MessageTests {
    private static let payload = #"{"aps":{"alert":"Card payment: 12.50 €"},"amount":12.50}"#

    @Test func everyDeviceOfTheUserGetsItsOwn() async throws {
        let (server, apns) = (try TestServer(), FakeAPNs())
        let (phone, tablet, other) = (try Device(1), try Device(2), try Device(3))
        try await server.run(apns) { client in
            for device in [phone, tablet] { try await device.register(with: client) }
            try await other.register(with: client, as: "bens-secret")
            let answer = try await client.post(Self.payload)
            #expect(answer.status == .accepted)
            #expect(try answer.number("devices") == 2)
            try await client.settle()
        }
        #expect(Set(apns.sent.map(\.deviceToken)) == [phone.deviceToken, tablet.deviceToken])
        #expect(Set(apns.sent.map(\.id)).count == 2)
        for sent in apns.sent {
            let device = sent.deviceToken == phone.deviceToken ? phone : tablet
            #expect(try device.open(sent, signedBy: server.signingKey) == Self.payload)
        }
    }

    @Test func repeatedRequestAddsNothing() async throws {
        let (server, apns, device) = (try TestServer(), FakeAPNs(), try Device(4))
        let id = UUID()
        try await server.run(apns) { client in
            try await device.register(with: client)
            for _ in 0..<3 {
                #expect(try await client.post(Self.payload, id: id).status == .accepted)
                try await client.settle()
            }
        }
        #expect(apns.sent.count == 1)
    }

    @Test func unansweredPushIsSentAgainUnderItsID() async throws {
        let (server, device, count) = (try TestServer(), try Device(5), Counter())
        let apns = FakeAPNs { sent in sent.id == nil || count.next() > 3 ? nil : .unanswered }
        try await server.run(apns) { client in
            try await device.register(with: client)
            _ = try await client.post(Self.payload)
            try await client.settle()
        }
        #expect(apns.sent.count == 4)
        #expect(Set(apns.sent.map(\.id)).count == 1)
        #expect(Set(apns.sent.map(\.payload)).count == 1)
    }

    @Test func restartSendsWhatHadNoAnswer() async throws {
        let (server, device) = (try TestServer(), try Device(6))
        let (silent, apns) = (FakeAPNs { $0.id == nil ? nil : .unanswered }, FakeAPNs())
        try await server.run(silent, pause: 600) { client in
            try await device.register(with: client)
            _ = try await client.post(Self.payload)
            while silent.sent.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        }
        server.clock.advance(by: 600)
        try await server.run(apns) { try await $0.settle() }
        #expect(apns.sent == silent.sent)
        // An answered one is gone.
        let third = FakeAPNs()
        try await server.run(third) { try await $0.settle() }
        #expect(third.sent.isEmpty)
    }

    @Test func expiredPushIsNotSent() async throws {
        let (server, device, apns) = (try TestServer(), try Device(7), FakeAPNs())
        try await server.run(FakeAPNs { $0.id == nil ? nil : .unanswered }, pause: 600) { client in
            try await device.register(with: client)
            _ = try await client.post(Self.payload)
        }
        server.clock.advance(by: 8 * 24 * 3600)
        try await server.run(apns) { try await $0.settle() }
        #expect(apns.sent.isEmpty)
    }

    @Test(arguments: [(-1.0, 1), (0, 0), (1, 0), (nil, 1)])
    func unregisteredDeletesOnlyOlderRegistrations(seconds: Double?, devices: Int) async throws {
        let (server, device) = (try TestServer(), try Device(8))
        let timestamp = seconds.map { server.clock.now + $0 }
        let apns = FakeAPNs { $0.id == nil ? nil : .unregistered(timestamp) }
        try await server.run(apns) { client in
            try await device.register(with: client)
            for _ in 0..<2 {
                _ = try await client.post(Self.payload)
                try await client.settle()
            }
            #expect(try await client.devices() == devices)
            try await client.settle()
        }
        #expect(apns.sent.count == 1 + devices * 2)
    }

    @Test func laterRegistrationOfOneUserStays() async throws {
        let (server, device) = (try TestServer(), try Device(9))
        let timestamp = server.clock.now + 1
        try await server.run(FakeAPNs { $0.id == nil ? nil : .unregistered(timestamp) }) { client in
            for token in ["annas-secret", "bens-secret"] {
                try await device.renew(with: client, as: token)
            }
            server.clock.advance(by: 2)
            try await device.renew(with: client, as: "bens-secret")
            _ = try await client.post(Self.payload, to: "ben")
            try await client.settle()
            #expect(try await client.devices(of: "anna") == 0)
            #expect(try await client.devices(of: "ben") == 1)
        }
    }

    @Test func deletedDeviceGetsNoWaitingPush() async throws {
        let (server, device, apns) = (try TestServer(), try Device(10), FakeAPNs())
        try await server.run(FakeAPNs { $0.id == nil ? nil : .unanswered }, pause: 600) { client in
            try await device.register(with: client)
            _ = try await client.post(Self.payload)
            _ = try await client.request(
                .delete, "/registrations/\(device.deviceToken)", as: "annas-secret")
        }
        server.clock.advance(by: 601)
        try await server.run(apns) { try await $0.settle() }
        // An app that is still signed in registers again.
        let request = [UInt8](SealedPush.registrationRequest().payload)
        #expect(apns.sent.map(\.payload) == [request])
    }

    @Test func malformedMessagesAreRefused() async throws {
        let (server, apns, device) = (try TestServer(), FakeAPNs(), try Device(11))
        let id = UUID()
        try await server.run(apns) { client in
            try await device.register(with: client)
            let long = String(repeating: "x", count: 5000)
            for payload in ["", "{", "[]", #"{"aps":{}}"#, #"{"aps":{"alert":"\#(long)"}}"#] {
                #expect(try await client.post(payload).status == .badRequest)
            }
            for query in ["", "?user=anna", "?id=\(id)", "?user=anna&id=1", "?user=&id=\(id)"] {
                let answer = try await client.request(
                    .post, "/messages" + query, as: "operator-secret", Self.payload)
                #expect(answer.status == .badRequest)
            }
            let large = String(repeating: " ", count: 70_000) + Self.payload
            #expect(try await client.post(large).status == .contentTooLarge)
            for token in [nil, "", "annas-secret", "operator-secreT"] {
                let answer = try await client.request(
                    .post, "/messages?user=anna&id=\(id)", as: token, Self.payload)
                #expect(answer.status == .unauthorized)
            }
            try await client.settle()
        }
        #expect(apns.sent.isEmpty)
    }

    @Test func healthIsTheOneOfAPNs() async throws {
        try await TestServer().run { client in
            let (healthy, unknown) = (
                try await client.health(), try await client.health(as: "annas-secret")
            )
            #expect(healthy.status == .ok)
            #expect(unknown.status == .unauthorized)
        }
        try await TestServer().run(FakeAPNs { _ in .unanswered }) { client in
            let ill = try await client.health()
            #expect(ill.status == .serviceUnavailable)
        }
    }
}

/// A counter for answers.
final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
