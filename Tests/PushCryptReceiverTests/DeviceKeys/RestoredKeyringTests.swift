import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// A device whose keyring is set back to an old backup, and a server that applies its own rule.
@Suite struct RestoredKeyringTests {
    static let day: TimeInterval = 86_400

    private let time = TestClock()
    private let folder: RegistrationStateDirectory
    private let server: RegistrationServer
    private let token = [UInt8](repeating: 0x0a, count: 32)
    private let tokenText = String(repeating: "0a", count: 32)
    private let json = #"{"aps":{"alert":"a"}}"#

    init() throws {
        folder = try RegistrationStateDirectory()
        server = RegistrationServer(time: time)
    }

    private func registrar(_ store: TestKeyringStore, _ folder: RegistrationStateDirectory? = nil)
        -> DeviceRegistrar
    {
        DeviceRegistrar(
            store: store, deviceID: "device", directory: (folder ?? self.folder).path,
            senderPolicy: .anyone, time: time
        )
    }

    @discardableResult
    private func register(_ registrar: DeviceRegistrar, token: [UInt8]? = nil) async throws
        -> KeyPreparation
    {
        try await registrar.register(DeviceToken(token ?? self.token)) { [server] in
            try await server.register($0)
        }
    }

    private func renew(_ registrar: DeviceRegistrar) async throws {
        try await registrar.renew(DeviceToken(token)) { [server] in try await server.register($0) }
    }

    private func knownKey(_ token: String? = nil) -> RecipientPublicKey? {
        server.recipients[token ?? tokenText]?.key
    }

    private func opens(_ push: SealedPush, _ store: TestKeyringStore) -> Bool {
        (try? Opener(keys: store, senderPolicy: .anyone, time: time).open(json: push.payload))
            != nil
    }

    /// Registers the first key, renews it twice, and returns the backup from before and all keys
    /// that the server knew.
    private func renewTwice(_ store: TestKeyringStore) async throws -> (
        backup: DeviceKeyring, former: [RecipientPublicKey]
    ) {
        try await register(registrar(store))
        let backup = try #require(store.stored)
        var former = [try #require(knownKey())]
        for _ in 1...2 {
            try await renew(registrar(store))
            former.append(try #require(knownKey()))
        }
        return (backup, former)
    }

    @Test(
        "After a renewal, a restored backup never brings an old key back",
        arguments: [false, true], [false, true])
    func restoredBackupNeverBringsAnOldKeyBack(isReinstalled: Bool, hasNewToken: Bool) async throws
    {
        let store = TestKeyringStore()
        let (backup, former) = try await renewTwice(store)
        #expect(Set(former).count == 3)
        let old = TestKeyringStore(backup)
        let other = try RegistrationStateDirectory()
        let registrar = registrar(old, isReinstalled ? other : folder)
        let token = [UInt8](repeating: hasNewToken ? 0x0b : 0x0a, count: 32)
        #expect(
            try await register(registrar, token: token)
                == (isReinstalled ? .reinstalled : .unchanged))
        let fresh = try #require(knownKey(String(repeating: hasNewToken ? "0b" : "0a", count: 32)))
        #expect(!former.contains(fresh))
        #expect(old.stored?.primary.key.publicKey == fresh)
        #expect(old.stored?.retired.map(\.key.publicKey).contains(former[0]) == true)
        let push = try Sealer(.anonymous, time: time).seal(json: json.utf8, for: fresh)
        #expect(opens(push, old))
        let count = server.requests.count
        #expect(try await register(registrar, token: token) == .unchanged)
        #expect(server.requests.count == count, "Device and server agree.")
        withExtendedLifetime(other) {}
    }

    @Test("Pushes to the restored keys still open") func pushesToTheRestoredKeysStillOpen()
        async throws
    {
        let store = TestKeyringStore()
        let (backup, former) = try await renewTwice(store)
        let old = TestKeyringStore(backup)
        let early = try Sealer(.anonymous, time: time).seal(json: json.utf8, for: former[0])
        try folder.put(nil)
        try await register(registrar(old))
        #expect(opens(early, old))
        let lost = try Sealer(.anonymous, time: time).seal(json: json.utf8, for: former[2])
        #expect(!opens(lost, old), "The key isn't in the backup.")
    }

    /// Each attempt of the server to keep an old key is rejected with a number that the device
    /// passes.
    @Test("A device that repeats old backups always agrees with its server")
    func repeatedBackupsAgree() async throws {
        var store = TestKeyringStore()
        try await register(registrar(store))
        var backups = [try #require(store.stored)]
        var seen = [try #require(knownKey())]
        for round in 1...12 {
            if !round.isMultiple(of: 3) {
                try await renew(registrar(store))
            } else {
                store = TestKeyringStore(backups[round / 2])
                if round.isMultiple(of: 2) { try folder.put(nil) }
                time.advance(by: 8 * Self.day)
                try await register(registrar(store))
            }
            let key = try #require(knownKey())
            #expect(key == store.stored?.primary.key.publicKey && !seen.contains(key), "\(round)")
            seen.append(key)
            backups.append(try #require(store.stored))
        }
    }

    @Test("A forged stale answer leads to one new key, and a limited number of retired keys")
    func forgedStaleAnswersAreLimited() async throws {
        let store = TestKeyringStore()
        try await register(registrar(store))
        for round in 1...80 {
            time.advance(by: 3600)
            try folder.put(nil)
            let counter = LockedValue(0)
            try await registrar(store).register(DeviceToken(token)) { [server] request in
                let generation = try Registration(parsing: request.registration).generation
                counter.withLock { $0 += 1 }
                guard counter.withLock({ $0 }) > 1 else {
                    return .stale(generation: generation + 7)
                }
                return try await server.register(request)
            }
            #expect(store.stored?.primary.key.publicKey == knownKey(), "\(round)")
            #expect(
                try #require(store.stored).retired.count <= 65
                    && store.stored?.pending.isEmpty == true)
        }
        #expect(store.stored?.retired.count == 65)
    }
}
