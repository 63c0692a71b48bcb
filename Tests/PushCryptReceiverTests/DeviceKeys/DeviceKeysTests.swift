import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The lifetime of a device's keys.
@Suite struct DeviceKeysTests {
    static let day: TimeInterval = 86_400

    let store = TestKeyringStore()
    let time = TestClock()

    private func device(
        _ device: String = "device", _ installation: String = "installation",
        store: (any KeyringStore)? = nil
    ) -> DeviceKeys {
        DeviceKeys(
            store: store ?? self.store,
            installation: Installation(deviceID: device, installationID: installation),
            time: time)
    }

    private func ring() throws -> DeviceKeyring { try #require(store.stored) }

    private func pass(days: Double) { time.advance(by: days * Self.day) }

    /// Starts the app daily.
    private func start(_ keys: DeviceKeys, days: Int) throws {
        for _ in 0..<days {
            pass(days: 1)
            _ = try keys.prepare()
        }
    }

    // MARK: Start

    @Test("The first start creates one key") func firstStartCreatesOneKey() throws {
        let (start, registration, _) = try device().prepare()
        #expect(start == .created)
        #expect(try ring().keys.count == 1)
        #expect(registration.key == (try ring().primary.key.publicKey))
        #expect(registration.generation == 1 && registration.created == time.now)
        #expect(store.changes == 1)
    }

    @Test("Another start within an hour writes nothing")
    func anotherStartWithinAnHourWritesNothing() throws {
        let first = try device().prepare().registration
        time.advance(by: 3599)
        let (start, registration, _) = try device().prepare()
        #expect(start == .unchanged)
        #expect(registration == first)
        #expect(store.changes == 1)
        time.advance(by: 1)
        #expect(
            try device().prepare().registration == first, "An observation isn't a new generation.")
        #expect(store.changes == 2)
    }

    @Test("A clock that was set back is recorded within an hour")
    func clockThatWasSetBackIsRecordedWithinAnHour()
        throws
    {
        _ = try device().prepare()
        time.advance(by: -60)
        _ = try device().prepare()
        #expect(try ring().elapsedTime?.clock == time.now)
    }

    // MARK: Rotation

    @Test("A key is replaced a day before it is 7 days old")
    func keyIsReplacedADayBeforeItIs7DaysOld() throws {
        let keys = device()
        let first = try keys.prepare().registration
        try start(keys, days: 5)
        #expect(try keys.registration() == first)
        try start(keys, days: 1)
        let second = try keys.registration()
        #expect(second.key != first.key && second.generation == 2 && second.created == time.now)
        #expect(try ring().primary.key.publicKey == first.key, "Not before the server has it.")
        #expect(try ring().pending.map(\.key.publicKey) == [second.key])
    }

    @Test("The app chooses the rotation age") func appChoosesTheRotationAge() throws {
        let keys = DeviceKeys(
            store: store, installation: Installation(deviceID: "a", installationID: "b"),
            rotationAge: Self.day,
            time: time)
        _ = try keys.prepare()
        try start(keys, days: 1)
        #expect(try ring().pending.count == 1)
    }

    @Test(
        "A rotation age that is a mistake is an error",
        arguments: [7, 0, -1, 3599, .nan, .infinity, 367 * Self.day])
    func rotationAgeIsChecked(age: Double) {
        let keys = DeviceKeys(
            store: store, installation: Installation(deviceID: "a", installationID: "b"),
            rotationAge: age, time: time)
        #expect(throws: PushCryptError(.invalidLifetime, "")) { try keys.prepare() }
        #expect(store.stored == nil)
    }

    @Test("A clock that jumps ahead doesn't rotate keys") func clockThatJumpsAheadDoesntRotateKeys()
        throws
    {
        _ = try device().prepare()
        pass(days: 5000)
        _ = try device().prepare()
        #expect(try ring().keys.count == 1)
    }

    @Test(
        "A server whose date stands still stops neither rotation nor destruction",
        arguments: [0.0, -Self.day])
    func standingDateStopsNothing(step: Double) throws {
        let keys = device()
        let begin = time.now
        try keys.confirm(keys.prepare().registration, serverTime: begin)
        var born: [KeyID: Date] = [:]
        for number in 1...200 {
            try start(keys, days: 1)
            try keys.confirm(keys.registration(), serverTime: begin + Double(number) * step)
            for key in try ring().keys.map(\.publicKey.keyID) { born[key] = born[key] ?? time.now }
            let ages = try ring().keys.compactMap { born[$0.publicKey.keyID] }.map {
                time.now.timeIntervalSince($0)
            }
            #expect(ages.allSatisfy { $0 <= 17 * Self.day })
        }
        #expect(born.count > 25)
    }

    @Test("A registration stays the same until it's confirmed")
    func registrationStaysTheSameUntilItsConfirmed() throws {
        let keys = device()
        _ = try keys.prepare()
        try start(keys, days: 6)
        let sent = try keys.registration().json
        for _ in 0..<200 {
            pass(days: 1)
            #expect(try keys.prepare().registration.json == sent)
        }
        #expect(try ring().keys.count == 2, "An old pending key isn't replaced.")
    }

    @Test("A confirmed key is primary, and the old key still opens")
    func confirmedKeyIsPrimaryAndTheOldKeyStillOpens()
        throws
    {
        let keys = device()
        let first = try keys.prepare().registration
        try start(keys, days: 6)
        let second = try keys.registration()
        try keys.confirm(second, serverTime: time.now)
        #expect(try ring().primary.key.publicKey == second.key)
        #expect(try ring().retired.map(\.key.publicKey) == [first.key])
        #expect(try store.recipientKey(first.key.keyID).publicKey == first.key)
        let after = try keys.registration()
        #expect(after.key == second.key && after.generation == 3)
        try start(keys, days: 8)
        #expect(try ring().retired.count == 1)
        try start(keys, days: 1)
        #expect(try ring().retired.isEmpty)
        #expect(
            try keys.registration().generation == 5,
            "One for the next pending key, and one for the destroyed key.")
    }

    @Test("A repeated, late or outdated confirmation changes nothing")
    func repeatedLateOrOutdatedConfirmationChangesNothing() throws {
        let keys = device()
        let first = try keys.prepare().registration
        try keys.confirm(first, serverTime: nil)
        #expect(store.changes == 1, "The primary key stays.")
        try start(keys, days: 6)
        let second = try keys.registration()
        try keys.confirm(second, serverTime: time.now)
        let changes = store.changes
        let generation = try ring().generation
        pass(days: 10)
        try keys.confirm(first)
        try keys.confirm(second)
        #expect(store.changes == changes)
        try keys.confirm(second, serverTime: time.now)
        try keys.confirm(first, serverTime: time.now)
        #expect(try ring().primary.key.publicKey == second.key && ring().generation == generation)
    }

    @Test("An unknown key isn't confirmed") func unknownKeyIsntConfirmed() throws {
        let stranger = Registration(
            key: try TestKeys.device().publicKey, generation: 9, created: time.now)
        #expect(thrownError { try device().confirm(stranger) }?.code == .unknownKey)
        _ = try device().prepare()
        #expect(thrownError { try device().confirm(stranger) }?.code == .unknownKey)
        #expect(store.changes == 1)
    }

    @Test("A confirmation counts with any clock") func confirmationCountsWithAnyClock() throws {
        for clock in [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 4e9)] {
            for known in [nil, time.now] {
                let store = TestKeyringStore()
                let keys = device(store: store)
                _ = try keys.prepare()
                try start(keys, days: 6)
                let registration = try keys.registration()
                let now = time.now
                time.advance(by: clock.timeIntervalSince(now))
                try keys.confirm(registration, serverTime: known)
                #expect(store.stored?.primary.key.publicKey == registration.key)
                time.advance(by: now.timeIntervalSince(clock))
            }
        }
    }

    @Test("Each answer of the server advances the time by the true difference")
    func eachAnswerAdvancesTheTime() throws {
        let keys = device()
        let first = try keys.prepare().registration
        for week in 1...5 {
            pass(days: 7)
            #expect(try keys.prepare().missesTime)
            try keys.confirm(keys.registration(), serverTime: time.now)
            #expect(try ring().elapsedTime?.estimate == time.now)
            _ = try keys.prepare()
            #expect(try ring().pending.count == 1, "The primary key is 7 days old.")
            try keys.confirm(keys.registration(), serverTime: time.now)
            #expect(
                try ring().retired.count == min(week, 2),
                "14 days after its retirement a key is destroyed.")
        }
        #expect(thrownError { try store.recipientKey(first.key.keyID) }?.code == .unknownKey)
    }

    @Test("An answer corrects a count that jumps of the clock have advanced")
    func anAnswerCorrectsTheCount() throws {
        let keys = device()
        let first = try keys.prepare().registration
        try start(keys, days: 6)
        try keys.confirm(keys.registration(), serverTime: time.now)
        let now = time.now
        // The user sets the clock ahead again and again, for less than the rotation age.
        for _ in 1...4 {
            pass(days: 300)
            _ = try keys.prepare()
        }
        #expect(try ring().elapsedTime?.estimate == now + 4 * Self.day)
        try keys.confirm(keys.registration(), serverTime: now + 60)
        #expect(try ring().elapsedTime?.estimate == now + 60)
        #expect(try ring().retired.map(\.key.publicKey) == [first.key])
    }

    // MARK: Lifetimes

    @Test(
        "A key keeps the lifetime with which it was registered",
        arguments: [(7.0, 30.0), (30, 7), (1, 3)])
    func keyKeepsItsLifetime(before: Double, after: Double) throws {
        var keys = device()
        keys.lifetime = before * Self.day
        let first = try keys.prepare().registration
        #expect(first.lifetime == before * Self.day)
        keys.lifetime = after * Self.day
        #expect(try keys.prepare().registration == first, "The registered key keeps its lifetime.")
        try start(keys, days: 6)
        let second = try keys.registration()
        #expect(second.lifetime == after * Self.day)
        try keys.confirm(second, serverTime: time.now)
        let start = time.now
        while (try? store.recipientKey(first.key.keyID)) != nil { try self.start(keys, days: 1) }
        #expect(time.now == start + (before + 2) * Self.day)
    }

    @Test(
        "An invalid lifetime changes nothing",
        arguments: [0, -1, 0.9, 2_592_001, .infinity, .nan] as [Double])
    func invalidLifetimeChangesNothing(lifetime: Double) throws {
        var keys = device()
        keys.lifetime = lifetime
        #expect(thrownError { try keys.prepare() }?.code == .invalidLifetime)
        #expect(store.stored == nil)
        _ = try device().prepare()
        #expect(thrownError { try keys.renew() }?.code == .invalidLifetime)
        #expect(try ring().keys.count == 1)
    }

    @Test("A renewed and a restored key have the lifetime of the setting")
    func newKeysHaveTheLifetimeOfTheSetting()
        throws
    {
        var (keys, other) = (device(), device("other"))
        _ = try keys.prepare()
        keys.lifetime = Self.day
        #expect(try keys.renew().lifetime == Self.day)
        other.lifetime = 2 * Self.day
        #expect(try other.prepare().registration.lifetime == 2 * Self.day)
        #expect(try ring().retired.map(\.lifetime) == [604_800, 86_400])
    }

    // MARK: Wrong clocks

    @Test("A stopped clock doesn't destroy a key") func stoppedClockDoesntDestroyAKey() throws {
        let keys = device()
        let first = try keys.prepare().registration
        try start(keys, days: 6)
        // The device is off for 60 days, and its clock stops.
        try keys.confirm(keys.registration())
        pass(days: 60)
        _ = try keys.prepare()
        try keys.confirm(keys.registration(), serverTime: time.now)
        _ = try keys.prepare()
        #expect(try ring().retired.map(\.key.publicKey) == [first.key], "It was retired just now.")
        try start(keys, days: 7)
        #expect(try ring().retired.count == 1)
        try start(keys, days: 2)
        #expect(try ring().retired.isEmpty)
    }

    @Test("A clock that is set back later doesn't destroy a key")
    func clockThatIsSetBackLaterDoesntDestroyAKey() throws {
        let keys = device()
        let first = try keys.prepare().registration
        try start(keys, days: 6)
        pass(days: 60)
        try keys.confirm(keys.registration())
        let now = time.now
        time.advance(by: -now.timeIntervalSince1970)
        _ = try keys.prepare()
        time.advance(by: now.timeIntervalSince1970)
        _ = try keys.prepare()
        try keys.confirm(keys.registration(), serverTime: time.now)
        _ = try keys.prepare()
        #expect(try ring().retired.map(\.key.publicKey) == [first.key])
    }

    @Test("A wrong clock at the first observation doesn't destroy a key")
    func wrongClockAtTheFirstObservationDoesntDestroyAKey() throws {
        var ring = try DeviceKeyring(createdAt: time.now - Self.day)
        try ring.rotate(at: time.now)
        let store = TestKeyringStore(ring)
        pass(days: 5000)
        #expect(try device(store: store).prepare().preparation == .unchanged)
        #expect(store.stored?.retired.count == 1)
    }

    @Test("A wrong clock at the first start doesn't keep a key", arguments: [0, 2_200_000_000])
    func wrongClockAtTheFirstStartDoesntKeepAKey(clock: Double) throws {
        let right = time.now
        time.advance(by: clock - right.timeIntervalSince1970)
        let keys = device()
        let first = try keys.prepare().registration
        time.advance(by: right.timeIntervalSince1970 - clock)
        try start(keys, days: 7)
        try keys.confirm(keys.registration())
        #expect(try ring().retired.map(\.key.publicKey) == [first.key])
        try start(keys, days: 10)
        #expect(try ring().retired.isEmpty)
    }

    // MARK: Stores that fail

    @Test("An unreadable store never leads to a new key", arguments: [true, false])
    func unreadableStoreNeverLeadsToANewKey(isEmpty: Bool) throws {
        if !isEmpty { _ = try device().prepare() }
        let before = store.stored?.primary.key.publicKey
        let known = Registration(
            key: try TestKeys.device().publicKey, generation: 1, created: time.now)
        store.behavior = .unreadable(CocoaError(.fileReadNoPermission))
        #expect(thrownError { try device().prepare() }?.code == .keyUnreadable)
        #expect(thrownError { try device().registration() }?.code == .keyUnreadable)
        #expect(thrownError { try device().confirm(known) }?.code == .keyUnreadable)
        #expect(
            thrownError { try device().followGeneration(1, rejecting: known) }?.code
                == .keyUnreadable)
        store.behavior = .working
        #expect(store.stored?.primary.key.publicKey == before)
        #expect(try device().prepare().preparation == (isEmpty ? .created : .unchanged))
        #expect(store.stored?.keys.count == 1)
    }

    @Test("A failed write is repeated at the next start") func failedWriteIsRepeatedAtTheNextStart()
        throws
    {
        let keys = device()
        store.behavior = .failingOnce(CocoaError(.fileWriteOutOfSpace))
        #expect(thrownError { try keys.prepare() }?.code == .keyUnreadable)
        #expect(store.stored == nil)
        #expect(try keys.prepare().preparation == .created)
        try start(keys, days: 5)
        pass(days: 1)
        store.behavior = .failingOnce(CocoaError(.fileWriteOutOfSpace))
        #expect(thrownError { try keys.prepare() }?.code == .keyUnreadable)
        #expect(try ring().pending.isEmpty)
        let registration = try keys.prepare().registration
        store.behavior = .failingOnce(CocoaError(.fileWriteOutOfSpace))
        #expect(thrownError { try keys.confirm(registration) }?.code == .keyUnreadable)
        #expect(try ring().pending.count == 1 && ring().retired.isEmpty)
        try keys.confirm(registration)
        #expect(try ring().primary.key.publicKey == registration.key)
    }

    @Test("A store's own error isn't quoted") func storesOwnErrorIsntQuoted() throws {
        struct Talkative: Error, CustomStringConvertible { let description = "d=SECRET" }
        for behavior in [
            TestKeyringStore.Behavior.unreadable(Talkative()), .unwritable(Talkative()),
        ] {
            store.behavior = (behavior)
            let error = try #require(thrownError { try device().prepare() })
            #expect(error.code == .keyUnreadable)
            #expect(!error.description.contains("SECRET") && error.reason.contains("Talkative"))
        }
    }

    @Test("A store's unknownKey isn't the keyring's") func storesUnknownKeyIsntTheKeyrings() throws
    {
        store.behavior = .unreadable(PushCryptError(.unknownKey, "Not here."))
        #expect(thrownError { try device().prepare() }?.code == .keyUnreadable)
        #expect(thrownError { try device().registration() }?.code == .keyUnreadable)
    }

    @Test(
        "A store may state why it can't be read",
        arguments: [PushCryptError.Code.deviceLocked, .missingEntitlement])
    func storeMayStateWhyItCantBeRead(_ code: PushCryptError.Code) throws {
        store.behavior = .unreadable(PushCryptError(code, "What to do."))
        for error in [
            thrownError { try device().prepare() }, thrownError { try device().registration() },
        ] {
            #expect(error?.code == code && error?.reason == "What to do.")
        }
        #expect(store.stored == nil)
    }

    /// A store that repeats a change, because another process has created the keyring, and then
    /// fails.
    private struct RepeatingStore: KeyringStore {
        let ring: DeviceKeyring

        func keyring() throws -> DeviceKeyring? { ring }
        func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey { try ring.key(for: id) }
        func update(_ change: (inout DeviceKeyring?) throws(PushCryptError) -> Void) throws {
            var nothing: DeviceKeyring?
            try? change(&nothing)
            var ring: DeviceKeyring? = ring
            try change(&ring)
            throw PushCryptError(.deviceLocked, "What to do.")
        }
        func deleteKeyring() throws {}
    }

    @Test("A refusal of an earlier call is forgotten") func refusalOfAnEarlierCallIsForgotten()
        throws
    {
        let store = RepeatingStore(ring: try DeviceKeyring(createdAt: time.now))
        let registration = try device(store: store).registration()
        #expect(
            thrownError { try device(store: store).confirm(registration) }?.code == .deviceLocked)
        #expect(
            thrownError {
                try device(store: store).followGeneration(1 << 60, rejecting: registration)
            }?.code
                == .malformedRegistration)
    }

    @Test("Before the first start there is no registration")
    func beforeTheFirstStartThereIsNoRegistration() throws {
        #expect(thrownError { try device().registration() }?.code == .unknownKey)
        let known = Registration(
            key: try TestKeys.device().publicKey, generation: 1, created: time.now)
        try device().followGeneration(7, rejecting: known)
        #expect(store.stored == nil)
    }

    // MARK: Installations

    @Test("A reinstalled app gets a new pending key") func reinstalledAppGetsANewPendingKey() throws
    {
        let first = try device().prepare().registration
        let old = try device().renew()
        let (start, registration, _) = try device("device", "other").prepare()
        #expect(start == .reinstalled)
        #expect(![first.key, old.key].contains(registration.key))
        #expect(
            try ring().primary.key.publicKey == first.key
                && ring().retired.map(\.key.publicKey) == [old.key])
        #expect(try ring().pending.map(\.key.publicKey) == [registration.key])
        #expect(try device("device", "other").prepare().preparation == .unchanged)
        try device("device", "other").confirm(registration)
        #expect(try ring().primary.key.publicKey == registration.key && ring().retired.count == 2)
    }

    @Test("An app that was restored on another device gets a new key")
    func appThatWasRestoredOnAnotherDeviceGetsANewKey() throws {
        let first = try device().prepare().registration
        let pending = try device().renew()
        let (start, registration, _) = try device("other", "installation").prepare()
        #expect(start == .restored)
        #expect(registration.key != first.key && registration.generation == 3)
        // It may be the same device under another name, with pushes in transit.
        #expect(try ring().retired.map(\.key.publicKey) == [first.key, pending.key])
        #expect(try ring().pending.isEmpty)
        #expect(try device("other", "installation").prepare().preparation == .unchanged)
        for _ in 1...9 {
            #expect(try ring().retired.count == 2)
            time.advance(by: 86_400)
            _ = try device("other", "installation").prepare()
        }
        #expect(try ring().retired.isEmpty && ring().primary.key.publicKey == registration.key)
    }

    @Test("An empty name changes nothing", arguments: [("", "installation"), ("device", "")])
    func emptyNameChangesNothing(names: (String, String)) throws {
        let first = try device().prepare().registration
        #expect(thrownError { try device(names.0, names.1).prepare() }?.code == .keyUnreadable)
        #expect(try device().prepare().registration == first)
    }

    @Test("Keys that may have leaked are replaced") func keysThatMayHaveLeakedAreReplaced() throws {
        #expect(thrownError { try device().renew() }?.code == .unknownKey)
        let first = try device().prepare().registration
        let second = try device().renew()
        let third = try device().renew()
        #expect(Set([first.key, second.key, third.key]).count == 3)
        #expect(
            try ring().primary.key.publicKey == first.key
                && ring().pending.map(\.key.publicKey) == [third.key])
        #expect(try ring().retired.map(\.key.publicKey) == [second.key])
        #expect(try device().registration() == third)
        try device().confirm(third)
        #expect(try ring().primary.key.publicKey == third.key && ring().pending.isEmpty)
    }

    @Test("A keyring without an owner belongs to the app")
    func keyringWithoutAnOwnerBelongsToTheApp() throws {
        let ring = try DeviceKeyring(createdAt: time.now)
        let store = TestKeyringStore(ring)
        let (start, registration, _) = try device(store: store).prepare()
        #expect(start == .unchanged)
        #expect(registration.key == ring.primary.key.publicKey)
        #expect(
            try device("other", store: store).prepare().preparation == .restored,
            "It has an owner now.")
    }

    // MARK: Generations

    @Test("After a stale answer a new key has a newer generation") func staleAnswerLeadsToANewKey()
        throws
    {
        let first = try device().prepare().registration
        try device().followGeneration(41, rejecting: first)
        let registration = try device().registration()
        #expect(registration.key != first.key && registration.generation == 42)
        #expect(try ring().primary.key.publicKey == first.key, "It opens messages.")
        #expect(
            thrownError { try device().followGeneration(1 << 60, rejecting: registration) }?.code
                == .malformedRegistration)
        #expect(try device().registration() == registration)
    }

    @Test("A stale answer to a registration from before a change creates no key")
    func staleAnswerToAnEarlierRegistrationCreatesNoKey() throws {
        let first = try device().prepare().registration
        let second = try device().renew()
        #expect(second.generation == 2)
        try device().followGeneration(2, rejecting: first)
        #expect(try device().registration() == second)
        try device().followGeneration(2, rejecting: second)
        #expect(
            try device().registration().generation == 3
                && ring().retired.map(\.key.publicKey) == [second.key])
    }
}
