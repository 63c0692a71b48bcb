import Foundation
import GRDB
import Logging
import Testing

@testable import ExampleServer

struct LimitTests {
    @Test func oneMoreDeviceReplacesTheOldestOrIsRefused() async throws {
        let (server, device, new) = (try TestServer(), try Device(1), try Device(2))
        let (store, now) = (try server.store(), server.clock.now)
        try await server.run { client in
            try await device.register(with: client)
            for number in 1..<Limits.devices {
                try store.addDevice(number, registered: now - Double(number))
            }
            #expect(try await client.devices() == Limits.devices)
            try await device.renew(with: client)
            #expect(try store.number("SELECT count(*) FROM recipient") == Limits.devices)
            let refused = try await client.register(
                await new.registration(), new.deviceToken, as: "annas-secret")
            #expect(refused.status == .forbidden)
            #expect(try store.number("SELECT count(*) FROM recipient") == Limits.devices)
            try await store.database.write { database in
                try database.execute(
                    sql: "UPDATE recipient SET registered = ? WHERE device_token LIKE '%0000013'",
                    arguments: [(now - Limits.idleDevice - 60).milliseconds])
            }
            try await new.register(with: client)
            #expect(try store.number("SELECT count(*) FROM recipient") == Limits.devices)
            let oldest = "SELECT count(*) FROM recipient WHERE device_token LIKE '%0000013'"
            #expect(try store.number(oldest) == 0)
            // More rows than the limit, from another time: a message goes to the latest ones.
            try store.addDevice(99, registered: now - 99)
            #expect(try await client.devices() == Limits.devices)
        }
    }

    @Test func tooManyRegistrationsInAMinute() async throws {
        let (server, device) = (try TestServer(), try Device(3))
        server.clock.advance(
            by: 60 - server.clock.now.timeIntervalSince1970.truncatingRemainder(dividingBy: 60)
                + 10.5)
        try await server.run { client in
            for _ in 0..<Limits.registrationsPerMinute {
                #expect(
                    try await client.register("{}", device.deviceToken, as: "annas-secret").status
                        == .badRequest)
            }
            let refused = try await client.register("{}", device.deviceToken, as: "annas-secret")
            #expect(refused.status == .tooManyRequests)
            #expect(refused.headers[.retryAfter] == "50")
            #expect(
                try await client.register("{}", device.deviceToken, as: "bens-secret").status
                    == .badRequest)
            server.clock.advance(by: 50)
            #expect(
                try await client.register("{}", device.deviceToken, as: "annas-secret").status
                    == .badRequest)
        }
    }

    @Test func largeRegistrationIsRefused() async throws {
        try await TestServer().run { client in
            let body = String(repeating: " ", count: Limits.registrationBody + 1)
            let answer = try await client.request(.post, "/registrations", as: "annas-secret", body)
            #expect(answer.status == .contentTooLarge)
        }
    }

    @Test func deviceThatIsNotRenewedIsDeletedWithItsPushes() async throws {
        let (server, device, fresh) = (try TestServer(), try Device(4), try Device(5))
        let store = try server.store()
        try await server.run(FakeAPNs { $0.id == nil ? nil : .unanswered }, pause: 600) { client in
            try await device.register(with: client)
            _ = try await client.post(#"{"aps":{"alert":"Card payment"}}"#)
            server.clock.advance(by: 2)
            try await fresh.register(with: client)
        }
        server.clock.advance(by: Limits.renewal - 1)
        try await Housekeeping(store: store, timing: server.timing(), logger: Logger(label: "test"))
            .tidy()
        #expect(try store.number("SELECT count(*) FROM recipient") == 1)
        #expect(try store.number("SELECT count(*) FROM outbox WHERE error = 'deleted'") == 1)
    }
}
