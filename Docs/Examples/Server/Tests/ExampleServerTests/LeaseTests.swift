import Foundation
import Testing

@testable import ExampleServer

struct LeaseTests {
    @Test func sendersTakeDisjointPushesUntilTheLeaseEnds() async throws {
        let server = try TestServer()
        let (store, now) = (try server.store(), server.clock.now)
        try store.addRows(3, at: now)
        let first = try await store.take(2, lease: 60, at: now)
        let second = try await store.take(2, lease: 60, at: now)
        #expect(first.map(\.sequence).sorted() == [1, 2])
        #expect(second.map(\.sequence) == [3])
        #expect(try await store.take(9, lease: 60, at: now + 59).isEmpty)
        let again = try await store.take(9, lease: 60, at: now + 60)
        #expect(again.map(\.sequence).sorted() == [1, 2, 3])
        #expect(again.allSatisfy { $0.attempts == 2 })
        // A late retry of the first sender leaves the other one's lease.
        for push in first { try await store.retry(push, notBefore: now) }
        #expect(try await store.take(9, lease: 60, at: now + 61).isEmpty)
        for push in again { try await store.finish(push, at: now) }
        #expect(try await store.take(9, lease: 60, at: now + 999).isEmpty)
        #expect(try store.number("SELECT count(*) FROM outbox WHERE leased_until > 0") == 0)
    }

    @Test func throttledPushIsNotTakenBeforeItsTime() async throws {
        let server = try TestServer()
        let (store, now) = (try server.store(), server.clock.now)
        try store.addRows(1, at: now)
        for push in try await store.take(1, lease: 600, at: now) {
            try await store.retry(push, notBefore: now + 30)
        }
        #expect(try await store.take(1, lease: 600, at: now + 29).isEmpty)
        #expect(try await store.take(1, lease: 600, at: now + 30).count == 1)
    }

    @Test func startEndsTheLeasesOfTheLastRun() async throws {
        let (server, apns) = (try TestServer(), FakeAPNs())
        let store = try server.store()
        try store.addRows(2, at: server.clock.now)
        #expect(try await store.take(2, lease: 600, at: server.clock.now).count == 2)
        try await server.run(apns) { try await $0.settle() }
        #expect(apns.sent.count == 2)
    }

    @Test func throttledDevicesDoNotStopOthers() async throws {
        let (server, device) = (try TestServer(), try Device(0xEE))
        try server.store().addRows(Limits.sending, at: server.clock.now)
        let apns = FakeAPNs {
            $0.id == nil || $0.deviceToken == device.deviceToken ? nil : .unanswered
        }
        try await server.run(apns, pause: 600) { client in
            try await device.register(with: client)
            _ = try await client.post(#"{"aps":{"alert":"Card payment"}}"#)
            try await client.settle(waiting: Limits.sending)
        }
        #expect(apns.sent.contains { $0.deviceToken == device.deviceToken })
        #expect(apns.sent.count == Limits.sending + 1)
    }

    @Test func rejectedCredentialsHoldAllPushes() async throws {
        let state = SendingState()
        let now = Date()
        await state.hold(until: now + 30)
        #expect(await state.free(at: now + 29) == 0)
        #expect(await state.free(at: now + 30) == Limits.sending)
    }
}
