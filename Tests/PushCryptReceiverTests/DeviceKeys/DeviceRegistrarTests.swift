import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The app's one call, with a network and a disk that fail at each step.
@Suite struct DeviceRegistrarTests {
    static let day: TimeInterval = 86_400
    static let week = 7 * day

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
            store: store ?? self.store, deviceID: device, directory: (folder ?? self.folder).path,
            account: account,
            senderPolicy: .anyone, time: time)
    }

    @discardableResult
    private func register(_ registrar: DeviceRegistrar? = nil, token: [UInt8]? = nil) async throws
        -> KeyPreparation
    {
        try await (registrar ?? self.registrar())
            .register(DeviceToken(token ?? self.token)) { [server] in try await server.register($0)
            }
    }

    private func renew(_ registrar: DeviceRegistrar? = nil) async throws {
        try await (registrar ?? self.registrar())
            .renew(DeviceToken(token)) { [server] in try await server.register($0) }
    }

    /// Returns the error of a call; `nil` if it succeeds.
    private func failure(_ body: () async throws -> Void) async -> PushCryptError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? PushCryptError ?? PushCryptError(.fileSystemError, "\(error)")
        }
    }

    private func ring() throws -> DeviceKeyring { try #require(store.stored) }

    /// Starts daily until a new key is pending.
    private func passUntilRotation() async throws {
        for _ in 0..<6 {
            time.advance(by: Self.day)
            _ = try registrar().keys().prepare()
        }
        #expect(try ring().pending.count == 1)
    }

    /// Expects that device and server have the same key, and that another start sends nothing.
    private func expectAgreement(_ registrar: DeviceRegistrar? = nil) async throws {
        #expect(server.recipients[tokenText]?.key == (try ring().primary.key.publicKey))
        #expect(try ring().pending.isEmpty)
        let count = server.requests.count
        #expect(try await register(registrar) == .unchanged)
        #expect(server.requests.count == count)
    }

    // MARK: Success

    @Test("The first start registers, and later starts send nothing")
    func firstStartRegistersAndLaterStartsSendNothing() async throws {
        #expect(try await register() == .created)
        #expect(server.requests.map(\.token) == [tokenText])
        #expect(server.recipients[tokenText]?.key == (try ring().primary.key.publicKey))
        try await expectAgreement()
    }

    @Test("A message of the server opens") func messageOfTheServerOpens() async throws {
        try await register()
        let recipient = try #require(server.recipients[tokenText])
        let push = try Sealer(.anonymous, time: time).seal(
            json: #"{"aps":{"alert":"a"}}"#.utf8, for: recipient.key)
        let opened = try Opener(keys: store, senderPolicy: .anyone, time: time).open(
            json: push.payload)
        #expect(opened.payload == Array(#"{"aps":{"alert":"a"}}"#.utf8))
    }

    @Test("The device token is written in hexadecimal digits")
    func deviceTokenIsWrittenInHexadecimalDigits()
        async throws
    {
        let token = Array(0...255).map(UInt8.init)
        try await register(token: Array(token.prefix(32)))
        try await register(token: Array(token.suffix(32)))
        try await register(token: Array(token.prefix(32)))
        #expect(
            server.requests.map(\.token).first
                == "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
        #expect(server.requests.dropFirst().first?.token.hasPrefix("e0e1") == true)
        #expect(server.requests.count == 3, "Each change is sent.")
    }

    @Test("A new token is registered with the same key") func newTokenIsRegisteredWithTheSameKey()
        async throws
    {
        try await register()
        let other = [UInt8](repeating: 0x0b, count: 32)
        #expect(try await register(token: other) == .unchanged)
        #expect(server.requests.count == 2)
        #expect(server.recipients.count == 2 && Set(server.recipients.values.map(\.key)).count == 1)
        #expect(try await register(token: other) == .unchanged)
        #expect(server.requests.count == 2)
    }

    @Test("A new account is registered with the same key")
    func newAccountIsRegisteredWithTheSameKey() async throws {
        for (account, requests) in [("a", 1), ("a", 1), ("b", 2), ("b", 2), ("a", 3), ("", 4)] {
            try await register(registrar(account: account))
            #expect(server.requests.count == requests, "\(account)")
        }
        #expect(try ring().keys.count == 1)
    }

    @Test("A new key is primary when the server has it") func newKeyIsPrimaryWhenTheServerHasIt()
        async throws
    {
        try await register()
        let first = try ring().primary.key.publicKey
        try await passUntilRotation()
        let second = try #require(try ring().pending.first).key.publicKey
        #expect(try await register() == .unchanged)
        #expect(
            try ring().primary.key.publicKey == second
                && ring().retired.map(\.key.publicKey) == [first])
        // The retirement has the server's time.
        #expect(
            try ring().retired.first?.isDateKnown == true
                && ring().retired.first?.retired == time.now)
        try await expectAgreement()
    }

    @Test("A server without a time can confirm") func serverWithoutATimeCanConfirm() async throws {
        try await register()
        try await passUntilRotation()
        try await registrar().register(DeviceToken(token)) { [server] request in
            _ = try server.arrive(request.registration, request.deviceToken)
            return .accepted(date: nil)
        }
        #expect(try ring().pending.isEmpty && ring().retired.first?.isDateKnown == false)
    }

    @Test("The registration is repeated once a week") func registrationIsRepeatedOnceAWeek()
        async throws
    {
        let registrar = DeviceRegistrar(
            store: store, deviceID: "device", directory: folder.path, senderPolicy: .anyone,
            rotationAge: 360 * Self.day, time: time)
        try await register(registrar)
        server.recipients = [:]
        for _ in 1...6 {
            time.advance(by: Self.day)
            try await register(registrar)
        }
        #expect(server.requests.count == 1)
        time.advance(by: Self.day)
        try await register(registrar)
        #expect(server.requests.count == 2 && server.recipients.count == 1)
        try await expectAgreement(registrar)
        // After the clock was set back, the age of the confirmation is unknown, so the registration
        // is sent once.
        time.advance(by: -100 * Self.day)
        try await register(registrar)
        #expect(server.requests.count == 3)
        try await expectAgreement(registrar)
    }

    @Test("After days without a start the server is asked for its time until it answers")
    func afterDaysWithoutAStartTheServerIsAsked() async throws {
        try await register()
        time.advance(by: 2 * Self.day)
        try await register()
        #expect(server.requests.count == 1)
        time.advance(by: 2 * Self.day + 1)
        server.network(.losingRequest)
        await #expect(throws: RegistrationServer.Lost.self) { try await register() }
        try await register()
        #expect(try server.requests.count == 3 && ring().elapsedTime?.estimate == time.now)
        try await expectAgreement()
    }

    @Test("One weekly start rotates and destroys keys") func oneWeeklyStartRotatesAndDestroysKeys()
        async throws
    {
        try await register()
        let first = try ring().primary.key.publicKey.keyID
        for week in 1...3 {
            #expect((try? store.recipientKey(first)) != nil)
            time.advance(by: Self.week)
            try await register()
            #expect(
                try server.requests.count == 1 + 2 * week && ring().keys.count == min(week + 1, 3))
            try await expectAgreement()
        }
        #expect(
            thrownError { try store.recipientKey(first) }?.code == .unknownKey,
            "14 days after its retirement.")
    }

    // MARK: Losses

    @Test(
        "A lost registration is sent again unchanged",
        arguments: [RegistrationServer.Network.losingRequest, .losingAnswer], [false, true])
    func lostRegistrationIsSentAgainUnchanged(network: RegistrationServer.Network, isRotation: Bool)
        async throws
    {
        if isRotation {
            try await register()
            try await passUntilRotation()
        }
        let before = server.requests.count
        let registered = server.recipients[tokenText]?.key
        for _ in 1...3 {
            server.network(network)
            await #expect(throws: RegistrationServer.Lost.self) { try await register() }
            // The device has the key that the server knows.
            if let key = server.recipients[tokenText]?.key { _ = try store.recipientKey(key.keyID) }
        }
        #expect(try ring().keys.count == (isRotation ? 2 : 1))
        if isRotation {
            #expect(try ring().primary.key.publicKey == registered, "Not before it is confirmed.")
        }
        #expect(try await register() == .unchanged)
        let sent = server.requests.dropFirst(before).map(\.json)
        #expect(sent.count == 4 && Set(sent).count == 1)
        try await expectAgreement()
    }

    @Test("A kill at any write is repaired at the next start", arguments: [false, true])
    func killAtAnyWriteIsRepairedAtTheNextStart(isRotation: Bool) async throws {
        if isRotation {
            try await register()
            try await passUntilRotation()
        }
        // The server has confirmed, and the keyring can't be written.
        let (store, folder) = (store, folder)
        server.beforeNext {
            if isRotation { store.behavior = .failingOnce(CocoaError(.fileWriteOutOfSpace)) }
        }
        let first = await failure { try await register() }
        #expect(first?.code == (isRotation ? .keyUnreadable : nil))
        if isRotation {
            #expect(try ring().pending.count == 1, "It is confirmed at the next start.")
        }
        // The keyring is written, and the state isn't.
        try folder.put(nil)
        let aside = folder.path + ".aside"
        server.beforeNext { try FileManager.default.moveItem(atPath: folder.path, toPath: aside) }
        #expect(await failure { try await register() }?.code == .fileNotFound)
        try FileManager.default.moveItem(atPath: aside, toPath: folder.path)
        #expect(try RegistrationState(path: folder.file).read().registered == nil)
        #expect(try await register() == .unchanged)
        try await expectAgreement()
        // Without its notes, the app counts as reinstalled.
        #expect(try ring().keys.count == (isRotation ? 3 : 2))
    }

    @Test("An offline server doesn't lead to more than one new key")
    func offlineServerDoesntLeadToMoreThanOneNewKey()
        async throws
    {
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

    @Test("A request that arrives late changes nothing") func requestThatArrivesLateChangesNothing()
        async throws
    {
        server.network(.losingRequest)
        _ = await failure { try await register() }
        let late = try #require(server.requests.first)
        try await register()
        try await renew()
        #expect(try server.arrive(late.json, late.token) == .stale(generation: 2))
        try await expectAgreement()
    }

    // MARK: Refusals

    /// During a registration, another call creates and registers a newer key.
    @Test("After a refusal the key that was sent is confirmed")
    func afterARefusalTheKeyThatWasSentIsConfirmed()
        async throws
    {
        try await register()
        let registrar = registrar()
        let (token, server) = (token, server)
        server.beforeNext {
            try await registrar.renew(DeviceToken(token)) { try await server.register($0) }
        }
        try await register(token: [UInt8](repeating: 0x0c, count: 32))
        // With the same token, the server rejects the older registration.
        server.recipients = [:]
        time.advance(by: 8 * Self.day)
        server.beforeNext {
            try await registrar.renew(DeviceToken(token)) { try await server.register($0) }
        }
        let before = server.requests.count
        try await register()
        #expect(server.requests.count >= before + 3)
        let last = try Registration(parsing: try #require(server.requests.last).json.utf8)
        #expect(last.key == (try ring().primary.key.publicKey))
        try await expectAgreement()
    }

    @Test("A key that was prepared meanwhile is confirmed when it's sent")
    func keyThatWasPreparedMeanwhileIsConfirmedWhenItsSent() async throws {
        try await register()
        let (registrar, server) = (registrar(), server)
        time.advance(by: 8 * Self.day)
        // Meanwhile the server has a newer generation, and a new key is pending here.
        server.beforeNext {
            _ = try registrar.keys().renew()
            let key = try TestKeys.device().publicKey
            try server.arrive(
                Registration(key: key, generation: 40, created: Date(timeIntervalSince1970: 0))
                    .json,
                String(repeating: "0a", count: 32))
        }
        try await register()
        #expect(try ring().pending.isEmpty, "The server has confirmed the new key.")
        try await expectAgreement()
    }

    @Test(
        "A generation that is too large changes nothing",
        arguments: [.max, (1 << 53) - 1, (1 << 53) - (1 << 33)] as [UInt64])
    func implausibleGenerationChangesNothing(number: UInt64) async throws {
        let counter = LockedValue(0)
        for _ in 1...3 {
            let error = await failure {
                try await registrar().register(DeviceToken(token)) { _ in
                    counter.withLock { $0 += 1 }
                    return .stale(generation: number)
                }
            }
            #expect(error?.code == .malformedRegistration)
        }
        #expect(
            counter.withLock { $0 } == 3 && store.stored?.generation == 1
                && store.stored?.keys.count == 1)
        try await register()
        try await expectAgreement()
    }

    @Test("A server that keeps refusing is asked twice", arguments: [UInt64(0), 1, 7])
    func serverThatKeepsRefusingIsAskedTwice(number: UInt64) async throws {
        let counter = LockedValue(0)
        for round in 1...3 {
            let error = await failure {
                try await registrar().register(DeviceToken(token)) { _ in
                    counter.withLock { $0 += 1 }
                    return .stale(generation: number)
                }
            }
            #expect(error?.code == .staleGeneration)
            #expect(counter.withLock { $0 } == 2 * round)
        }
        // The second and third round are above the server's generation.
        #expect(
            try ring().keys.count == (number == 0 ? 1 : 2)
                && ring().generation == (number == 0 ? 1 : number + 1))
        try await register()
        try await expectAgreement()
    }

    // MARK: Concurrency

    @Test("Concurrent calls agree with the server") func concurrentCallsAgreeWithTheServer()
        async throws
    {
        for round in 0..<20 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                let (registrar, server, token) = (registrar(), server, token)
                for number in 0..<4 {
                    group.addTask {
                        if number == 3, round.isMultiple(of: 3) {
                            try await registrar.renew(DeviceToken(token)) {
                                try await server.register($0)
                            }
                        } else {
                            try await registrar.register(DeviceToken(token)) {
                                try await server.register($0)
                            }
                        }
                    }
                }
                do {
                    try await group.waitForAll()
                } catch let error as PushCryptError where error.code == .staleGeneration {
                    // Rejected twice, because other calls were faster twice.
                }
            }
            try await register()
            try await expectAgreement()
            time.advance(by: 8 * Self.day)
        }
        #expect(try ring().keys.count <= 8, "One for each renewal, and the first.")
    }

    // MARK: Installations

    @Test("A missing device ID changes nothing", arguments: [nil, ""] as [String?])
    func missingDeviceIDChangesNothing(
        device: String?
    ) async throws {
        let (registrar, server) = (registrar(device: device), server)
        for error in [
            await failure { try await register(registrar) },
            await failure { try await renew(registrar) },
        ] {
            #expect(
                error?.code == .keyUnreadable
                    && error?.reason.contains("identifierForVendor") == true)
        }
        #expect(store.stored == nil && folder.contents == nil && server.requests.isEmpty)
        try await register()
        let before = try ring()
        #expect(await failure { try await renew(registrar) }?.code == .keyUnreadable)
        #expect(try ring().hasSameContents(as: before))
        try await expectAgreement()
    }

    @Test("A reinstalled app replaces its key and registers", arguments: [false, true])
    func reinstalledAppReplacesItsKeyAndRegisters(isLost: Bool) async throws {
        try await register()
        let key = try ring().primary.key.publicKey
        try folder.put(nil)
        if isLost {
            server.network(.losingRequest)
            _ = await failure { try await register() }
            #expect(try ring().primary.key.publicKey == key, "The server knows the old key.")
        }
        let start = try await register()
        #expect(start == (isLost ? .unchanged : .reinstalled))
        #expect(server.requests.count == (isLost ? 3 : 2))
        #expect(try ring().retired.map(\.key.publicKey) == [key])
        try await expectAgreement()
    }

    @Test("A restored device gets a new key and registers", arguments: [false, true])
    func restoredDeviceGetsANewKeyAndRegisters(hasNotes: Bool) async throws {
        try await register()
        let key = try ring().primary.key.publicKey
        if !hasNotes { try folder.put(nil) }
        let registrar = registrar(device: "other")
        server.network(.losingRequest)
        _ = await failure { try await register(registrar) }
        #expect(try await register(registrar) == .unchanged)
        #expect(
            try ring().primary.key.publicKey != key && ring().retired.map(\.key.publicKey) == [key])
        try await expectAgreement(registrar)
    }

    @Test("A deleted keyring is replaced and registered")
    func deletedKeyringIsReplacedAndRegistered() async throws {
        try await register()
        try await renew()
        let other = TestKeyringStore()
        #expect(try await register(registrar(store: other)) == .created)
        #expect(server.recipients[tokenText]?.key == other.stored?.primary.key.publicKey)
    }

    @Test("Keys that are deleted during the registration aren't confirmed")
    func keysThatAreDeletedDuringTheRegistrationArentConfirmed() async throws {
        let registrar = registrar(store: VanishingStore(store))
        #expect(await failure { try await register(registrar) }?.code == .unknownKey)
        #expect(try RegistrationState(path: folder.file).read().registered == nil)
    }

    /// The user signs out between the first change and the second.
    private final class VanishingStore: KeyringStore {
        let store: TestKeyringStore
        let changes = LockedValue(0)

        init(_ store: TestKeyringStore) { self.store = store }

        private var current: TestKeyringStore {
            changes.withLock { $0 } > 1 ? TestKeyringStore() : store
        }
        func keyring() throws -> DeviceKeyring? { try current.keyring() }
        func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey {
            try current.recipientKey(id)
        }
        func update(_ change: (inout DeviceKeyring?) throws(PushCryptError) -> Void) throws {
            changes.withLock { $0 += 1 }
            try current.update(change)
        }
        func deleteKeyring() throws { try current.deleteKeyring() }
    }

    // MARK: Unreadable files and keys

    @Test(
        "Unreadable keys aren't replaced",
        arguments: [
            PushCryptError(.deviceLocked, "Locked."),
            PushCryptError(.missingEntitlement, "Missing."),
            PushCryptError(.keyUnreadable, "Unreadable."),
        ])
    func unreadableKeysArentReplaced(error: PushCryptError) async throws {
        try await register()
        let key = try ring().primary.key.publicKey
        store.behavior = .unreadable(error)
        time.advance(by: 30 * Self.day)
        #expect(await failure { try await register() } == error)
        #expect(await failure { try await renew() } == error)
        #expect(server.requests.count == 1)
        #expect(server.recipients[tokenText]?.key == key)
        store.behavior = .working
        try await register()
        #expect(try ring().keys.contains { $0.publicKey == key })
    }

    /// A locked device, and a target without the entitlement.
    @Test("A locked keychain is registered later") func lockedKeychainIsRegisteredLater()
        async throws
    {
        let keychain = TestKeychain(accessGroups: ["group"], device: .beforeFirstUnlock)
        let store = KeychainStore(keychain, accessGroup: "group")
        #expect(
            await failure { try await register(registrar(store: store)) }?.code == .deviceLocked)
        let stranger = KeychainStore(keychain.sharing(accessGroups: []), accessGroup: "group")
        #expect(
            await failure { try await register(registrar(store: stranger)) }?.code
                == .missingEntitlement)
        #expect(keychain.items.isEmpty && server.requests.isEmpty)
        keychain.device = .locked
        #expect(try await register(registrar(store: store)) == .created)
        #expect(try store.keyring()?.primary.key.publicKey == server.recipients[tokenText]?.key)
        keychain.device = .beforeFirstUnlock
        time.advance(by: 8 * Self.day)
        #expect(
            await failure { try await register(registrar(store: store)) }?.code == .deviceLocked)
        keychain.device = .unlocked
        let key = try #require(try store.keyring()).primary.key.publicKey
        #expect(try await register(registrar(store: store)) == .unchanged)
        #expect(
            try store.keyring()?.retired.map(\.key.publicKey) == [key],
            "By the server's time, a new key was due.")
    }

    @Test("An unreadable state file isn't replaced") func unreadableStateFileIsntReplaced()
        async throws
    {
        try await register()
        let before = try ring()
        let notes = try #require(folder.contents)
        try folder.put(notes, mode: 0o640)
        #expect(await failure { try await register() }?.code == .insecureFile)
        #expect(try ring().hasSameContents(as: before) && folder.contents == notes)
        try folder.put(notes)
        try await expectAgreement()
    }

    @Test("A truncated state file is replaced") func truncatedStateFileIsReplaced() async throws {
        try await register()
        let key = try ring().primary.key.publicKey
        let notes = try #require(folder.contents)
        for length in 0..<notes.count {
            try folder.put(Array(notes.prefix(length)))
            #expect(try await register() == .reinstalled)
            #expect(try await register() == .unchanged)
        }
        #expect(server.requests.count == notes.count + 1)
        // Each of these starts replaces the key.
        #expect(notes.count > 66)
        #expect(try ring().retired.count == 65 && !ring().keys.map(\.publicKey).contains(key))
    }

    // MARK: Leaked keys

    @Test("Leaked keys are replaced at once") func leakedKeysAreReplacedAtOnce() async throws {
        try await register()
        let first = try ring().primary.key.publicKey
        try await renew()
        #expect(server.requests.count == 2)
        #expect(
            try ring().primary.key.publicKey != first
                && ring().retired.map(\.key.publicKey) == [first])
        try await expectAgreement()
    }

    @Test(
        "A lost renewal is registered at the next start",
        arguments: [RegistrationServer.Network.losingRequest, .losingAnswer])
    func lostRenewalIsRegisteredAtTheNextStart(network: RegistrationServer.Network) async throws {
        try await register()
        server.network(network)
        await #expect(throws: RegistrationServer.Lost.self) { try await renew() }
        let fresh = try #require(try ring().pending.first).key.publicKey
        #expect(try await register() == .unchanged)
        #expect(try ring().primary.key.publicKey == fresh && ring().keys.count == 2)
        try await expectAgreement()
    }

    @Test("A renewal can be the first call") func renewalCanBeTheFirstCall() async throws {
        try await renew()
        #expect(try ring().keys.count == 1 && server.requests.count == 1)
        try await expectAgreement()
        // Another device gets a new key anyway. A reinstalled app has its old one.
        let other = registrar(device: "other")
        try await renew(other)
        #expect(try ring().keys.count == 2)
        try await expectAgreement(other)
        try folder.put(nil)
        try await renew(other)
        #expect(try ring().keys.count == 3)
        try await expectAgreement(other)
    }

    @Test("The description doesn't contain names") func descriptionDoesntContainNames() {
        var dumped = ""
        let registrar = registrar(device: "this device", account: "anna@example.com")
        dump(registrar, to: &dumped)
        for text in ["\(registrar)", String(reflecting: registrar), dumped] {
            #expect(!text.contains("anna") && !text.contains("this device"))
        }
    }

    // MARK: Main actor

    /// An app's delegate on the main actor, like its closures.
    @MainActor private final class Delegate {
        let server: RegistrationServer
        var sent = 0

        init(_ server: RegistrationServer) { self.server = server }

        func register(_ registrar: DeviceRegistrar, _ token: Data) async throws {
            try await registrar.register(DeviceToken(token)) { try await self.send($0) }
        }

        func send(_ request: RegistrationRequest) async throws -> RegistrationResponse {
            sent += 1
            return try await server.register(request)
        }
    }

    @Test("A delegate on the main actor can call the registrar")
    func delegateOnTheMainActorCanCallTheRegistrar()
        async throws
    {
        let delegate = await Delegate(server)
        try await delegate.register(registrar(), Data(token))
        #expect(await delegate.sent == 1)
        try await expectAgreement()
    }
}
