import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The one call in the app, over a network and a disk that fail at each step.
@Suite struct DeviceRegistrarTests {
    static let day: TimeInterval = 86_400

    private let store = TestKeyringStore()
    private let time = TestClock()
    private let folder: RegistrationStateDirectory
    private let server: RegistrationServer
    private let token = [UInt8](repeating: 0x0a, count: 32)
    private let tokenText = String(repeating: "0a", count: 32)

    init() throws {
        folder = try RegistrationStateDirectory()
        server = RegistrationServer(time: time)
    }

    private func registrar(
        device: String? = "device", folder: RegistrationStateDirectory? = nil, account: String = "",
        store: (any KeyringStore)? = nil
    ) -> DeviceRegistrar {
        DeviceRegistrar(
            store: store ?? self.store, deviceID: device, directory: (folder ?? self.folder).path, account: account,
            time: time)
    }

    @discardableResult
    private func register(_ registrar: DeviceRegistrar? = nil, token: [UInt8]? = nil) async throws
        -> DeviceRegistrar.Preparation
    {
        try await (registrar ?? self.registrar())
            .register(deviceToken: token ?? self.token) { [server] in try await server.register($0, $1) }
    }

    private func renew(_ registrar: DeviceRegistrar? = nil) async throws {
        try await (registrar ?? self.registrar())
            .renew(deviceToken: token) { [server] in try await server.register($0, $1) }
    }

    /// The error of a call; `nil` where there is none.
    private func failure(_ body: () async throws -> Void) async -> PushCryptError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? PushCryptError ?? PushCryptError(.fileSystemError, "\(error)")
        }
    }

    private func ring() throws -> Keyring<RecipientPrivateKey> { try #require(store.stored) }

    /// Registers daily until a new key is pending or in use, and says which.
    private func passUntilRotation() async throws {
        for _ in 0..<90 {
            time.advance(by: Self.day)
            _ = try registrar().keys().prepare()
        }
        #expect(try ring().pending.count == 1)
    }

    /// The device is what the server takes it for, and knows it: another start asks nothing.
    private func expectAgreement(_ registrar: DeviceRegistrar? = nil) async throws {
        #expect(server.recipients[tokenText]?.key == (try ring().primary.key.publicKey))
        #expect(try ring().pending.isEmpty)
        let count = server.requests.count
        #expect(try await register(registrar) == .unchanged)
        #expect(server.requests.count == count)
    }

    // MARK: As it should be

    @Test func theFirstStartRegistersAndTheNextOnesAskNothing() async throws {
        #expect(try await register() == .created)
        #expect(server.requests.map(\.token) == [tokenText])
        #expect(server.recipients[tokenText]?.key == (try ring().primary.key.publicKey))
        try await expectAgreement()
    }

    @Test func aMessageOfTheServerOpens() async throws {
        try await register()
        let recipient = try #require(server.recipients[tokenText])
        let push = try Sealer(.anonymous, time: time).seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: recipient.key)
        let opened = try Opener(keys: store, senderPolicy: .anyone, time: time).open(json: push.payload)
        #expect(opened.payload == Array(#"{"aps":{"alert":"a"}}"#.utf8))
    }

    @Test func aTokenIsWrittenInHexadecimalDigits() async throws {
        let token = Array(0...255).map(UInt8.init)
        try await register(token: Array(token.prefix(32)))
        try await register(token: Array(token.suffix(32)))
        try await register(token: Array(token.prefix(32)))
        #expect(
            server.requests.map(\.token).first == "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
        #expect(server.requests.dropFirst().first?.token.hasPrefix("e0e1") == true)
        #expect(server.requests.count == 3, "Each change is told, also back.")
    }

    @Test func anotherTokenIsRegisteredWithTheSameKey() async throws {
        try await register()
        let other = [UInt8](repeating: 0x0b, count: 32)
        #expect(try await register(token: other) == .unchanged)
        #expect(server.requests.count == 2)
        #expect(server.recipients.count == 2 && Set(server.recipients.values.map(\.key)).count == 1)
        #expect(try await register(token: other) == .unchanged)
        #expect(server.requests.count == 2)
    }

    @Test func anotherAccountIsRegisteredWithTheSameKey() async throws {
        for (account, requests) in [("a", 1), ("a", 1), ("b", 2), ("b", 2), ("a", 3), ("", 4)] {
            try await register(registrar(account: account))
            #expect(server.requests.count == requests, "\(account)")
        }
        #expect(try ring().keys.count == 1)
    }

    @Test func aKeyIsReplacedWhenTheServerHasTheNewOne() async throws {
        try await register()
        let first = try ring().primary.key.publicKey
        try await passUntilRotation()
        let second = try #require(try ring().pending.first).key.publicKey
        #expect(try await register() == .unchanged)
        #expect(try ring().primary.key.publicKey == second && ring().retired.map(\.key.publicKey) == [first])
        // By the server's time.
        #expect(try ring().retired.first?.isDateKnown == true && ring().retired.first?.retired == time.now)
        try await expectAgreement()
    }

    @Test func aServerWithoutATimeIsAsGood() async throws {
        try await register()
        try await passUntilRotation()
        try await registrar().register(deviceToken: token) { [server] json, token in
            _ = try server.arrive(json, token)
            return .accepted(date: nil)
        }
        #expect(try ring().pending.isEmpty && ring().retired.first?.isDateKnown == false)
    }

    /// A server that has lost its table, or was set back to a backup, is told again within a week.
    @Test func theServerIsToldAgainOnceAWeek() async throws {
        try await register()
        server.recipients = [:]
        time.advance(by: 7 * Self.day - 1)
        try await register()
        #expect(server.requests.count == 1)
        time.advance(by: 1)
        try await register()
        #expect(server.requests.count == 2 && server.recipients.count == 1)
        try await expectAgreement()
        // A clock that was set back says nothing of how long it is ago, and is noted: so it is asked once.
        time.advance(by: -400 * Self.day)
        try await register()
        #expect(server.requests.count == 3)
        try await expectAgreement()
    }

    // MARK: What is lost

    @Test(arguments: [RegistrationServer.Network.losingRequest, .losingAnswer], [false, true])
    func whatIsLostIsSentAgainAsItWas(network: RegistrationServer.Network, isRotation: Bool) async throws {
        if isRotation {
            try await register()
            try await passUntilRotation()
        }
        let before = server.requests.count
        let registered = server.recipients[tokenText]?.key
        for _ in 1...3 {
            server.network(network)
            await #expect(throws: RegistrationServer.Lost.self) { try await register() }
            // Whichever it was, the device has the key that the server knows.
            if let key = server.recipients[tokenText]?.key { _ = try store.recipientKey(key.keyID) }
        }
        #expect(try ring().keys.count == (isRotation ? 2 : 1))
        if isRotation { #expect(try ring().primary.key.publicKey == registered, "Not before it is confirmed.") }
        #expect(try await register() == .unchanged)
        let sent = server.requests.dropFirst(before).map(\.json)
        #expect(sent.count == 4 && Set(sent).count == 1)
        try await expectAgreement()
    }

    /// Killed after each write of the first start and of a rotation: the next start goes on.
    @Test(arguments: [false, true]) func aKillAtAnyPointIsMended(isRotation: Bool) async throws {
        if isRotation {
            try await register()
            try await passUntilRotation()
        }
        // The server has confirmed, and the keyring cannot be written.
        let (store, folder) = (store, folder)
        server.beforeNext { if isRotation { store.behavior = .failingOnce(CocoaError(.fileWriteOutOfSpace)) } }
        let first = await failure { try await register() }
        #expect(first?.code == (isRotation ? .keyUnreadable : nil))
        if isRotation { #expect(try ring().pending.count == 1, "It is confirmed at the next start.") }
        // The keyring is written, and the note is not.
        try folder.put(nil)
        let aside = folder.path + ".aside"
        server.beforeNext { try FileManager.default.moveItem(atPath: folder.path, toPath: aside) }
        #expect(await failure { try await register() }?.code == .fileNotFound)
        try FileManager.default.moveItem(atPath: aside, toPath: folder.path)
        #expect(try RegistrationState(path: folder.file).read().registered == nil)
        #expect(try await register() == .unchanged)
        try await expectAgreement()
        #expect(try ring().keys.count == (isRotation ? 2 : 1))
    }

    @Test func aKeyThatIsDueWhileTheServerIsOfflineIsMadeOnce() async throws {
        try await register()
        let first = try ring().primary.key.publicKey
        for _ in 0..<150 {
            time.advance(by: Self.day)
            server.network(.losingRequest)
            _ = await failure { try await register() }
        }
        #expect(try ring().keys.count == 2 && ring().primary.key.publicKey == first)
        #expect(server.recipients[tokenText]?.key == first)
        try await register()
        try await expectAgreement()
    }

    @Test func aRequestThatArrivesLateChangesNothing() async throws {
        server.network(.losingRequest)
        _ = await failure { try await register() }
        let late = try #require(server.requests.first)
        try await register()
        try await renew()
        #expect(try server.arrive(late.json, late.token) == .stale(generation: 2))
        try await expectAgreement()
    }

    // MARK: Servers that refuse

    @Test func afterAnOldBackupTheServerIsOvertaken() async throws {
        try await register()
        let backup = try ring()
        try await renew()
        try await renew()
        #expect(server.recipients[tokenText]?.registration.generation == 4)
        let old = TestKeyringStore(backup)
        let other = try RegistrationStateDirectory()
        let registrar = registrar(folder: other, store: old)
        let before = server.requests.count
        #expect(try await register(registrar) == .reinstalled)
        #expect(server.requests.count == before + 2)
        #expect(server.recipients[tokenText]?.key == backup.primary.key.publicKey)
        #expect(old.stored?.keys.count == 1, "No key is made for it.")
        #expect(try await register(registrar) == .unchanged)
        #expect(server.requests.count == before + 2)
        withExtendedLifetime(other) {}
    }

    /// While a registration is under way, another call makes and registers a newer key.
    @Test func whatIsConfirmedAfterARefusalIsWhatWasSentThen() async throws {
        try await register()
        let registrar = registrar()
        let (token, server) = (token, server)
        server.beforeNext {
            try await registrar.renew(deviceToken: token) { json, token in try await server.register(json, token) }
        }
        try await register(token: [UInt8](repeating: 0x0c, count: 32))
        // The same for the same token: there the older registration is refused.
        server.recipients = [:]
        time.advance(by: 8 * Self.day)
        server.beforeNext {
            try await registrar.renew(deviceToken: token) { json, token in try await server.register(json, token) }
        }
        let before = server.requests.count
        try await register()
        #expect(server.requests.count == before + 3)
        let last = try Registration(parsing: try #require(server.requests.last).json.utf8)
        #expect(last.key == (try ring().primary.key.publicKey))
        try await expectAgreement()
    }

    @Test func aNewKeyThatWasPreparedMeanwhileIsConfirmedWhenItWasSent() async throws {
        try await register()
        let (registrar, server) = (registrar(), server)
        time.advance(by: 8 * Self.day)
        // Another server, or another thread, has gone on by the time; and the new key is pending here.
        server.beforeNext {
            _ = try registrar.keys().renew()
            let key = try TestKeys.device().publicKey
            try server.arrive(
                Registration(key: key, generation: 40, created: Date(timeIntervalSince1970: 0)).json,
                String(repeating: "0a", count: 32))
        }
        try await register()
        #expect(try ring().pending.isEmpty, "The server has confirmed the new key.")
        try await expectAgreement()
    }

    @Test(arguments: [UInt64.max, UInt64(1) << 53 - 1, UInt64(1) << 40])
    func anAbsurdGenerationChangesNothing(number: UInt64) async throws {
        let counter = LockedValue(0)
        for _ in 1...3 {
            let error = await failure {
                try await registrar().register(deviceToken: token) { _, _ in
                    counter.withLock { $0 += 1 }
                    return .stale(generation: number)
                }
            }
            #expect(error?.code == .malformedRegistration)
        }
        #expect(counter.withLock { $0 } == 3 && store.stored?.generation == 1)
        try await register()
        try await expectAgreement()
    }

    @Test(arguments: [UInt64(0), 1, 7]) func aServerThatGoesOnRefusingIsNotAskedForEver(number: UInt64) async throws {
        let counter = LockedValue(0)
        for round in 1...3 {
            let error = await failure {
                try await registrar().register(deviceToken: token) { _, _ in
                    counter.withLock { $0 += 1 }
                    return .stale(generation: number)
                }
            }
            #expect(error?.code == .staleGeneration)
            #expect(counter.withLock { $0 } == 2 * round)
        }
        #expect(try ring().keys.count == 1 && ring().generation <= max(number + 1, 2))
        try await register()
        try await expectAgreement()
    }

    // MARK: Calls at once

    @Test func severalCallsAtOnceAgree() async throws {
        for round in 0..<20 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                let (registrar, server, token) = (registrar(), server, token)
                for number in 0..<4 {
                    group.addTask {
                        if number == 3, round.isMultiple(of: 3) {
                            try await registrar.renew(deviceToken: token) { try await server.register($0, $1) }
                        } else {
                            try await registrar.register(deviceToken: token) { try await server.register($0, $1) }
                        }
                    }
                }
                do {
                    try await group.waitForAll()
                } catch let error as PushCryptError where error.code == .staleGeneration {
                    // Refused twice, because the others were faster twice.
                }
            }
            try await register()
            try await expectAgreement()
            time.advance(by: 8 * Self.day)
        }
        #expect(try ring().keys.count <= 8, "One for each renewal, and the first.")
    }

    // MARK: Installations

    @Test(arguments: [nil, ""] as [String?]) func withoutADeviceNameNothingIsReadOrMade(device: String?) async throws {
        let (registrar, server) = (registrar(device: device), server)
        for error in [
            await failure { try await register(registrar) }, await failure { try await renew(registrar) },
        ] {
            #expect(error?.code == .keyUnreadable && error?.reason.contains("identifierForVendor") == true)
        }
        #expect(store.stored == nil && folder.contents == nil && server.requests.isEmpty)
        try await register()
        let before = try ring()
        #expect(await failure { try await renew(registrar) }?.code == .keyUnreadable)
        #expect(try ring().hasSameContents(as: before))
        try await expectAgreement()
    }

    @Test(arguments: [false, true]) func aReinstalledAppKeepsItsKeysAndRegisters(isLost: Bool) async throws {
        try await register()
        let key = try ring().primary.key.publicKey
        try folder.put(nil)
        if isLost {
            server.network(.losingRequest)
            _ = await failure { try await register() }
        }
        let start = try await register()
        #expect(start == (isLost ? .unchanged : .reinstalled))
        #expect(server.requests.count == (isLost ? 3 : 2))
        #expect(try ring().keys.map(\.publicKey) == [key])
        try await expectAgreement()
    }

    @Test(arguments: [false, true]) func aRestoredDeviceHasAKeyOfItsOwnAndRegisters(hasNotes: Bool) async throws {
        try await register()
        let key = try ring().primary.key.publicKey
        if !hasNotes { try folder.put(nil) }
        let registrar = registrar(device: "other")
        server.network(.losingRequest)
        _ = await failure { try await register(registrar) }
        #expect(try await register(registrar) == .unchanged)
        #expect(try ring().primary.key.publicKey != key && ring().retired.map(\.key.publicKey) == [key])
        try await expectAgreement(registrar)
    }

    @Test func aKeyringThatWasDeletedIsMadeAnewAndOvertakesTheServer() async throws {
        try await register()
        try await renew()
        let other = TestKeyringStore()
        #expect(try await register(registrar(store: other)) == .created)
        #expect(server.recipients[tokenText]?.key == other.stored?.primary.key.publicKey)
    }

    @Test func keysThatAreDeletedWhileTheyAreRegisteredAreNotConfirmed() async throws {
        let registrar = registrar(store: VanishingStore(store))
        #expect(await failure { try await register(registrar) }?.code == .unknownKey)
        #expect(try RegistrationState(path: folder.file).read().registered == nil)
    }

    /// The user signs out between the first change and the second.
    private final class VanishingStore: KeyringStore {
        let store: TestKeyringStore
        let changes = LockedValue(0)

        init(_ store: TestKeyringStore) { self.store = store }

        private var current: TestKeyringStore { changes.withLock { $0 } > 1 ? TestKeyringStore() : store }
        func keyring() throws -> Keyring<RecipientPrivateKey>? { try current.keyring() }
        func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey { try current.recipientKey(id) }
        func update(_ change: (inout Keyring<RecipientPrivateKey>?) throws(PushCryptError) -> Void) throws {
            changes.withLock { $0 += 1 }
            try current.update(change)
        }
    }

    // MARK: What cannot be read

    @Test(arguments: [
        PushCryptError(.deviceLocked, "Locked."), PushCryptError(.missingEntitlement, "Missing."),
        PushCryptError(.keyUnreadable, "Unreadable."),
    ])
    func keysThatCannotBeReadAreNotMadeAnew(error: PushCryptError) async throws {
        try await register()
        let key = try ring().primary.key.publicKey
        store.behavior = .unreadable(error)
        time.advance(by: 30 * Self.day)
        #expect(await failure { try await register() } == error)
        #expect(await failure { try await renew() } == error)
        #expect(server.requests.count == 1)
        store.behavior = .working
        try await register()
        #expect(try ring().keys.map(\.publicKey) == [key])
    }

    /// The keychain as the system has it, on a device that is locked, and in a target that lacks the entitlement.
    @Test func aLockedKeychainIsRegisteredLater() async throws {
        let keychain = TestKeychain(accessGroups: ["group"], device: .beforeFirstUnlock)
        let store = KeychainStore(keychain, accessGroup: "group")
        #expect(await failure { try await register(registrar(store: store)) }?.code == .deviceLocked)
        let stranger = KeychainStore(keychain.sharing(accessGroups: []), accessGroup: "group")
        #expect(await failure { try await register(registrar(store: stranger)) }?.code == .missingEntitlement)
        #expect(keychain.items.isEmpty && server.requests.isEmpty)
        keychain.device = .locked
        #expect(try await register(registrar(store: store)) == .created)
        #expect(try store.keyring()?.primary.key.publicKey == server.recipients[tokenText]?.key)
        keychain.device = .beforeFirstUnlock
        time.advance(by: 8 * Self.day)
        #expect(await failure { try await register(registrar(store: store)) }?.code == .deviceLocked)
        keychain.device = .unlocked
        #expect(try await register(registrar(store: store)) == .unchanged)
        #expect(try store.keyring()?.keys.count == 1)
    }

    @Test func notesThatCannotBeReadMakeNoInstallation() async throws {
        try await register()
        let before = try ring()
        let notes = try #require(folder.contents)
        try folder.put(notes, mode: 0o640)
        #expect(await failure { try await register() }?.code == .insecureFile)
        #expect(try ring().hasSameContents(as: before) && folder.contents == notes)
        try folder.put(notes)
        try await expectAgreement()
    }

    @Test func notesThatAreCutOffAreMended() async throws {
        try await register()
        let key = try ring().primary.key.publicKey
        let notes = try #require(folder.contents)
        for length in 0..<notes.count {
            try folder.put(Array(notes.prefix(length)))
            #expect(try await register() == .reinstalled)
            #expect(try await register() == .unchanged)
        }
        #expect(server.requests.count == notes.count + 1)
        #expect(try ring().keys.map(\.publicKey) == [key])
    }

    // MARK: Leaked keys

    @Test func leakedKeysAreReplacedAtOnce() async throws {
        try await register()
        let first = try ring().primary.key.publicKey
        try await renew()
        #expect(server.requests.count == 2)
        #expect(try ring().primary.key.publicKey != first && ring().retired.map(\.key.publicKey) == [first])
        try await expectAgreement()
    }

    @Test(arguments: [RegistrationServer.Network.losingRequest, .losingAnswer])
    func aRenewalThatWasLostIsRegisteredByTheNextStart(network: RegistrationServer.Network) async throws {
        try await register()
        server.network(network)
        await #expect(throws: RegistrationServer.Lost.self) { try await renew() }
        let fresh = try #require(try ring().pending.first).key.publicKey
        #expect(try await register() == .unchanged)
        #expect(try ring().primary.key.publicKey == fresh && ring().keys.count == 2)
        try await expectAgreement()
    }

    @Test func aRenewalMayBeTheFirstCallOfAll() async throws {
        try await renew()
        #expect(try ring().keys.count == 1 && server.requests.count == 1)
        try await expectAgreement()
        // On another device that is a new key already; one that was reinstalled has its old one.
        let other = registrar(device: "other")
        try await renew(other)
        #expect(try ring().keys.count == 2)
        try await expectAgreement(other)
        try folder.put(nil)
        try await renew(other)
        #expect(try ring().keys.count == 3)
        try await expectAgreement(other)
    }

    @Test func itsDescriptionNamesNobody() {
        var dumped = ""
        let registrar = registrar(device: "this device", account: "anna@example.com")
        dump(registrar, to: &dumped)
        for text in ["\(registrar)", String(reflecting: registrar), dumped] {
            #expect(!text.contains("anna") && !text.contains("this device"))
        }
    }

    // MARK: In an app

    /// An app's delegate lives on the main actor, and so do what it sends with and the closures that it writes.
    @MainActor private final class Delegate {
        let server: RegistrationServer
        var sent = 0

        init(_ server: RegistrationServer) { self.server = server }

        func register(_ registrar: DeviceRegistrar, _ token: Data) async throws {
            try await registrar.register(deviceToken: token) { json, token in
                try await self.send(json, token)
            }
        }

        func send(_ json: String, _ token: String) async throws -> RegistrationResponse {
            sent += 1
            return try await server.register(json, token)
        }
    }

    @Test func aDelegateOnTheMainActorMayCallIt() async throws {
        let delegate = await Delegate(server)
        try await delegate.register(registrar(), Data(token))
        #expect(await delegate.sent == 1)
        try await expectAgreement()
    }
}
