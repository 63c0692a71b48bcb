import Foundation
import PushCryptTesting
import Testing

@testable import ExampleServer

struct RegistrationTests {
    @Test func rotatedKeyReplacesTheFirst() async throws {
        let (server, device, apns) = (try TestServer(), try Device(1), FakeAPNs())
        try await server.run(apns) { client in
            try await device.register(with: client)
            let first = try device.primaryKey().publicKey
            try await device.renew(with: client)
            #expect(try device.primaryKey().publicKey != first)
            #expect(try await client.devices() == 1)
            try await client.settle()
        }
        // Only the new key is left, so it is the one that the message was sealed for.
        let push = try #require(apns.sent.first)
        let opener = Opener(
            keys: InMemoryKeyStore([try device.primaryKey()]),
            senderPolicy: .signed(by: try server.signingKey))
        #expect(throws: Never.self) { try opener.open(json: push.payload) }
    }

    @Test func delayedRegistrationIsStale() async throws {
        let (server, device) = (try TestServer(), try Device(0xAB))
        try await server.run { client in
            try await device.register(with: client)
            let (old, new) = (try await device.registration(), try await device.registration())
            #expect(
                try await client.register(new, device.deviceToken, as: "annas-secret").status
                    == .noContent)
            let generation = try Registration(parsing: new).generation
            // The token in other letters is the same device.
            for token in [device.deviceToken, device.deviceToken.uppercased()] {
                let answer = try await client.register(old, token, as: "annas-secret")
                #expect(answer.status == .conflict)
                #expect(try answer.number("generation") == Int(generation))
            }
            #expect(try await client.devices() == 1)
        }
    }

    /// A restored backup brings an old key back, also under another device token.
    @Test func formerKeyIsStaleWithItsOwnGeneration() async throws {
        let (server, device) = (try TestServer(), try Device(8))
        try await server.run { client in
            let first = try await device.registration().withGeneration(1)
            #expect(
                try await client.register(first, device.deviceToken, as: "annas-secret").status
                    == .noContent)
            let second = try await device.registration().withGeneration(2)
            #expect(
                try await client.register(second, device.deviceToken, as: "annas-secret").status
                    == .noContent)
            let other = String(repeating: "0b", count: 32)
            for (token, generation) in [(device.deviceToken, 40), (other, 41)] {
                let answer = try await client.register(
                    first.withGeneration(UInt64(generation)), token, as: "annas-secret")
                #expect(answer.status == .conflict)
                #expect(try answer.number("generation") == generation)
            }
            // Another user's rows don't matter, and the period ends.
            #expect(try await client.register(first, other, as: "bens-secret").status == .noContent)
            server.clock.advance(by: 60 * 24 * 3600 + 1)
            let answer = try await client.register(
                first.withGeneration(40), device.deviceToken, as: "annas-secret")
            #expect(answer.status == .noContent)
        }
    }

    @Test func deviceWithAnOldBackupRegistersANewKey() async throws {
        let (server, device) = (try TestServer(), try Device(9))
        try await server.run { client in
            try await device.register(with: client)
            let restored = try Device(9, keys: TestKeyringStore(try device.keys.keyring()))
            var former = [try device.primaryKey().publicKey]
            for _ in 1...2 {
                try await device.renew(with: client)
                former.append(try device.primaryKey().publicKey)
            }
            try await restored.register(with: client)
            #expect(try !former.contains(restored.primaryKey().publicKey))
            #expect(try await client.devices() == 1)
        }
    }

    @Test func implausibleFirstGenerationIsStaleWithZero() async throws {
        let (server, device) = (try TestServer(), try Device(3))
        try await server.run { client in
            let forged = try await device.registration().withGeneration(1 << 52 + 1)
            let answer = try await client.register(forged, device.deviceToken, as: "annas-secret")
            #expect(answer.status == .conflict)
            #expect(try answer.number("generation") == 0)
        }
    }

    @Test func usersOfOneDeviceAreSeparate() async throws {
        let (server, device) = (try TestServer(), try Device(4))
        try await server.run { client in
            try await device.register(with: client)
            #expect(try await client.devices(of: "ben") == 0)
            try await device.renew(with: client, as: "bens-secret")
            #expect(try await client.devices(of: "anna") == 1)
            #expect(try await client.devices(of: "ben") == 1)
        }
    }

    @Test func concurrentRegistrationsLoseNone() async throws {
        let (server, device) = (try TestServer(), try Device(5))
        try await server.run { client in
            let registration = try await device.registration()
            for round in 0..<10 {
                server.clock.advance(by: 60)
                let generations = (1...16).map { UInt64(round * 16 + $0) }.shuffled()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for generation in generations {
                        group.addTask {
                            let forged = registration.withGeneration(generation)
                            _ = try await client.register(
                                forged, device.deviceToken, as: "annas-secret")
                        }
                    }
                    try await group.waitForAll()
                }
                // The newest is accepted whenever it comes, and no older one replaces it.
                let answer = try await client.register(
                    registration.withGeneration(1), device.deviceToken, as: "annas-secret")
                #expect(try answer.number("generation") == round * 16 + 16)
            }
        }
    }

    @Test(arguments: [nil, "", "annas-secre", "annas-secreT", "annas-secrets", "operator-secret"])
    func wrongBearerRegistersNothing(token: String?) async throws {
        let (server, device) = (try TestServer(), try Device(6))
        try await server.run { client in
            let body = try JSONEncoder().encode([
                "token": device.deviceToken, "registration": try await device.registration(),
            ])
            let answer = try await client.request(
                .post, "/registrations", as: token, String(decoding: body, as: UTF8.self))
            #expect(answer.status == .unauthorized)
            #expect(try await client.devices() == 0)
        }
    }

    @Test func malformedBodiesRegisterNothing() async throws {
        let (server, device) = (try TestServer(), try Device(7))
        try await server.run { client in
            let registration = try await device.registration()
            for body in [
                "", "{", "[]", #"{"token": "00"}"#, #"{"token": 1, "registration": "{}"}"#,
            ] {
                let answer = try await client.request(
                    .post, "/registrations", as: "annas-secret", body)
                #expect(answer.status == .badRequest)
            }
            let broken = [
                (registration, "00"), (registration, "zz" + device.deviceToken),
                ("{}", device.deviceToken),
                (registration.replacing("OKP", with: "EC"), device.deviceToken),
                (registration.withGeneration(0), device.deviceToken),
            ]
            for (registration, token) in broken {
                #expect(
                    try await client.register(registration, token, as: "annas-secret").status
                        == .badRequest)
            }
            #expect(try await client.devices() == 0)
        }
    }

    @Test func resetMakesTheNextRegistrationAFirstOne() async throws {
        let (server, device) = (try TestServer(), try Device(0xCD))
        try await server.run { client in
            let registration = try await device.registration()
            let path = "/registrations/\(device.deviceToken.uppercased())"
            let deletions = [(path, "annas-secret"), (path + "?user=anna", "operator-secret")]
            for (deletion, token) in deletions {
                let newest = registration.withGeneration(1 << 40)
                #expect(
                    try await client.register(newest, device.deviceToken, as: "annas-secret").status
                        == .noContent)
                let first = registration.withGeneration(1)
                #expect(
                    try await client.register(first, device.deviceToken, as: "annas-secret").status
                        == .conflict)
                // Another user, and the operator who names none, reset nothing.
                #expect(
                    try await client.request(.delete, path, as: "bens-secret").status == .noContent)
                #expect(
                    try await client.request(.delete, path, as: "operator-secret").status
                        == .badRequest)
                #expect(
                    try await client.request(.delete, path + "?user=anna", as: "wrong").status
                        == .unauthorized)
                #expect(try await client.devices() == 1)
                #expect(try await client.request(.delete, deletion, as: token).status == .noContent)
                #expect(try await client.devices() == 0)
                #expect(
                    try await client.register(first, device.deviceToken, as: "annas-secret").status
                        == .noContent)
                #expect(try await client.request(.delete, deletion, as: token).status == .noContent)
            }
        }
    }
}

extension String {
    func withGeneration(_ generation: UInt64) -> String {
        replacing(/"generation":\d+/, with: "\"generation\":\(generation)")
    }
}
