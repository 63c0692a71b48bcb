import Foundation
import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// An attacker who registers keys of their own in the name of a device, and its owner.
@Suite(.thorough) struct ForgedRegistrationTests {
    static let firstLimit: UInt64 = 1 << 52
    static let growth: UInt64 = 1 << 32
    /// The first generation that a device doesn't follow.
    static let end: UInt64 = 1 << 53 - 1 << 33

    private let store = TestKeyringStore()
    private let time = TestClock()
    private let folder: RegistrationStateDirectory
    private let server: RegistrationServer
    private let token = String(repeating: "0a", count: 32)

    init() throws {
        folder = try RegistrationStateDirectory()
        server = RegistrationServer(time: time)
    }

    /// Registers a key of the attacker, a new one by default; the server refuses an implausible
    /// generation.
    private func forge(_ generation: UInt64, key: RecipientPublicKey? = nil) throws
        -> RegistrationResponse
    {
        let key = try key ?? RecipientPrivateKey().publicKey
        let forged = Registration(key: key, generation: generation, created: time.now)
        return try server.arrive(forged.json, token)
    }

    /// Registers the owner's key, as the app does at a start after a week.
    private func registerOwner(bytes: [UInt8] = [UInt8](repeating: 0x0a, count: 32)) async throws {
        time.advance(by: 8 * 86_400)
        let registrar = DeviceRegistrar(
            store: store, deviceID: "device", directory: folder.path, senderPolicy: .anyone,
            rotationAge: 366 * 86_400,
            time: time)
        try await registrar.register(DeviceToken(bytes)) { [server] in try await server.register($0)
        }
        #expect(server.recipients[token]?.key == store.stored?.primary.key.publicKey)
    }

    @Test(
        "The owner registers after one forged registration", arguments: [true, false],
        [1, growth, firstLimit - 1])
    func ownerRegistersAfterOneForgedRegistration(isFirst: Bool, generation: UInt64) async throws {
        if !isFirst { try await registerOwner() }
        let forged = try TestKeys.device().publicKey
        _ = try forge(1 + (isFirst ? generation : min(generation, Self.growth)), key: forged)
        #expect(server.recipients[token]?.key == forged)
        let owners = store.stored?.primary.key.publicKey
        try await registerOwner()
        #expect(
            store.stored?.primary.key.publicKey != owners,
            "The server doesn't return to the owner's former key.")
    }

    @Test("The server refuses implausible generations") func serverRefusesImplausibleGenerations()
        async throws
    {
        #expect(try forge(Self.firstLimit + 1) == .stale(generation: 0))
        try await registerOwner()
        for generation in [2 + Self.growth, Self.firstLimit, (1 << 53) - 1] as [UInt64] {
            #expect(try forge(generation) == .stale(generation: 1))
        }
        try await registerOwner()
    }

    @Test("The owner registers after each of a chain of forged registrations")
    func ownerRegistersAfterAChainOfForgedRegistrations() async throws {
        _ = try forge(Self.firstLimit)
        try await registerOwner()
        for _ in 0..<LongRun.count(50, full: 1000) {
            let known = try #require(server.recipients[token]).registration.generation
            for step in 1...3 as ClosedRange<UInt64> { _ = try forge(known + step * Self.growth) }
            try await registerOwner()
        }
    }

    /// The fastest chain needs 1,048,574 accepted registrations after the first one.
    @Test("A device is locked out by a million forged registrations, until a reset")
    func deviceIsLockedOutByAMillionForgedRegistrations() async throws {
        let forgeries = (Self.end - Self.firstLimit) / Self.growth
        #expect(forgeries == 1_048_574)
        var generation = Self.firstLimit
        _ = try forge(generation)
        // The steps in the middle are all alike, so only some are made unless the long run is
        // requested.
        let skipped = forgeries - UInt64(LongRun.count(20, full: 20_000))
        generation += skipped * Self.growth
        let row = try #require(server.recipients[token])
        let stored = String(decoding: try JSONEncoder().encode(row), as: UTF8.self)
            .replacingOccurrences(of: "\(Self.firstLimit)", with: "\(generation)")
        server.recipients[token] = try JSONDecoder().decode(Recipient.self, from: Data(stored.utf8))
        for number in skipped..<forgeries {
            if number == forgeries - 1 { try await registerOwner() }
            generation =
                try #require(server.recipients[token]).registration.generation + Self.growth
            #expect(try forge(generation) == .accepted(date: time.now))
        }
        #expect(generation >= Self.end)
        await #expect(throws: PushCryptError(.malformedRegistration, "")) {
            try await registerOwner()
        }
        // The reset: the operator deletes the row. The device's generation is above the limit of a
        // first one.
        server.recipients = [:]
        #expect(try #require(store.stored).generation > Self.firstLimit)
        try await registerOwner()
        #expect(store.stored?.generation == 2, "1, and an expired key was destroyed.")
        server.recipients[token] = nil
        try await registerOwner()
    }

    @Test("A device that has followed a forged registration registers a new token")
    func deviceThatHasFollowedRegistersANewToken() async throws {
        _ = try forge(Self.firstLimit)
        try await registerOwner()
        let other = [UInt8](repeating: 0x0b, count: 32)
        try await DeviceRegistrar(
            store: store, deviceID: "device", directory: folder.path, senderPolicy: .anyone,
            time: time
        )
        .register(DeviceToken(other)) { [server] in try await server.register($0) }
        #expect(
            server.recipients[String(repeating: "0b", count: 32)]?.key
                == store.stored?.primary.key.publicKey)
        // The old token's row has a much greater generation, and the server tells the device again.
        try await registerOwner()
    }
}
