import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The life of a device's keys, as an app sees it.
@Suite struct DeviceKeysTests {
    static let day: TimeInterval = 86_400

    let store = TestKeyringStore()
    let time = TestClock()

    private func device(
        _ device: String = "device", _ installation: String = "installation", store: (any KeyringStore)? = nil
    ) -> DeviceKeys {
        DeviceKeys(
            store: store ?? self.store, installation: Installation(deviceID: device, installationID: installation),
            time: time)
    }

    private func ring() throws -> Keyring<RecipientPrivateKey> { try #require(store.stored) }

    private func pass(days: Double) { time.advance(by: days * Self.day) }

    /// Starts daily for so many days.
    private func start(_ keys: DeviceKeys, days: Int) throws {
        for _ in 0..<days {
            pass(days: 1)
            _ = try keys.prepare()
        }
    }

    private func push(issuedAt: Date, signer: KeyID?) throws -> OpenedPush {
        OpenedPush(
            payload: [], keyID: try TestKeys.device().publicKey.keyID, signer: signer,
            messageID: try MessageID([UInt8](repeating: 0, count: 16)), issuedAt: issuedAt)
    }

    // MARK: Start

    @Test func theFirstStartMakesOneKey() throws {
        let (start, registration) = try device().prepare()
        #expect(start == .created)
        #expect(try ring().keys.count == 1)
        #expect(registration.key == (try ring().primary.key.publicKey))
        #expect(registration.generation == 1 && registration.created == time.now)
        #expect(store.changes == 1)
    }

    @Test func anotherStartWithinTheHourWritesNothing() throws {
        let first = try device().prepare().registration
        time.advance(by: 3599)
        let (start, registration) = try device().prepare()
        #expect(start == .unchanged)
        #expect(registration == first)
        #expect(store.changes == 1)
        time.advance(by: 1)
        #expect(try device().prepare().registration == first, "A look at the clock is no new generation.")
        #expect(store.changes == 2)
    }

    @Test func aClockThatWasSetBackIsNotedWithinTheHour() throws {
        _ = try device().prepare()
        time.advance(by: -60)
        _ = try device().prepare()
        #expect(try ring().elapsedTime?.clock == time.now)
    }

    // MARK: Rotation

    @Test func aKeyIsReplacedAfter90Days() throws {
        let keys = device()
        let first = try keys.prepare().registration
        try start(keys, days: 89)
        #expect(try keys.registration() == first)
        try start(keys, days: 1)
        let second = try keys.registration()
        #expect(second.key != first.key && second.generation == 2 && second.created == time.now)
        #expect(try ring().primary.key.publicKey == first.key, "Not before the server has it.")
        #expect(try ring().pending.map(\.key.publicKey) == [second.key])
    }

    @Test func theAgeIsTheAppsToChoose() throws {
        let keys = DeviceKeys(
            store: store, installation: Installation(deviceID: "a", installationID: "b"), rotationAge: Self.day,
            time: time)
        _ = try keys.prepare()
        try start(keys, days: 1)
        #expect(try ring().pending.count == 1)
    }

    @Test func aClockThatJumpsAheadRotatesNothing() throws {
        _ = try device().prepare()
        pass(days: 5000)
        _ = try device().prepare()
        #expect(try ring().keys.count == 1)
    }

    @Test func aRegistrationIsSentAgainAsItWasUntilItIsConfirmed() throws {
        let keys = device()
        _ = try keys.prepare()
        try start(keys, days: 90)
        let sent = try keys.registration().json
        for _ in 0..<200 {
            pass(days: 1)
            #expect(try keys.prepare().registration.json == sent)
        }
        #expect(try ring().keys.count == 2, "However old it is, a pending key is not replaced by another.")
    }

    @Test func aConfirmedKeyIsInUseAndTheOldOneOpens() throws {
        let keys = device()
        let first = try keys.prepare().registration
        try start(keys, days: 90)
        let second = try keys.registration()
        try keys.confirm(second, serverTime: time.now)
        #expect(try ring().primary.key.publicKey == second.key)
        #expect(try ring().retired.map(\.key.publicKey) == [first.key])
        #expect(try store.recipientKey(first.key.keyID).publicKey == first.key)
        let after = try keys.registration()
        #expect(after.key == second.key && after.generation == 3)
        try start(keys, days: 31)
        #expect(try ring().retired.count == 1)
        try start(keys, days: 1)
        #expect(try ring().retired.isEmpty)
        #expect(try keys.registration().generation == 4)
    }

    @Test func aConfirmationMayComeTwiceLateOrForAnOldKey() throws {
        let keys = device()
        let first = try keys.prepare().registration
        try keys.confirm(first, serverTime: nil)
        #expect(store.changes == 1, "The primary stays what it is.")
        try start(keys, days: 90)
        let second = try keys.registration()
        try keys.confirm(second, serverTime: time.now)
        let changes = store.changes
        pass(days: 10)
        try keys.confirm(second, serverTime: time.now)
        try keys.confirm(first, serverTime: time.now)
        try keys.confirm(second)
        #expect(store.changes == changes)
        #expect(try ring().primary.key.publicKey == second.key)
    }

    @Test func aKeyThatIsNotHereIsNotConfirmed() throws {
        let stranger = Registration(key: try TestKeys.device().publicKey, generation: 9, created: time.now)
        #expect(thrownError { try device().confirm(stranger) }?.code == .unknownKey)
        _ = try device().prepare()
        #expect(thrownError { try device().confirm(stranger) }?.code == .unknownKey)
        #expect(store.changes == 1)
    }

    @Test func aConfirmationIsTakenWhateverTheClockSays() throws {
        for clock in [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 4e9)] {
            for known in [nil, time.now] {
                let store = TestKeyringStore()
                let keys = device(store: store)
                _ = try keys.prepare()
                try start(keys, days: 90)
                let registration = try keys.registration()
                let now = time.now
                time.advance(by: clock.timeIntervalSince(now))
                try keys.confirm(registration, serverTime: known)
                #expect(store.stored?.primary.key.publicKey == registration.key)
                time.advance(by: now.timeIntervalSince(clock))
            }
        }
    }

    // MARK: What has lost messages once

    /// An empty battery stops the clock, and the confirmation says nothing of the time.
    @Test func aClockThatStoodStillEndsNoKey() throws {
        let keys = device()
        let first = try keys.prepare().registration
        try start(keys, days: 90)
        // 60 days off, and the clock stands where it stood.
        try keys.confirm(keys.registration())
        pass(days: 60)
        try keys.recordTime(of: push(issuedAt: time.now, signer: first.key.keyID))
        _ = try keys.prepare()
        #expect(try ring().retired.map(\.key.publicKey) == [first.key], "It was retired just now.")
        try start(keys, days: 30)
        #expect(try ring().retired.count == 1)
        try start(keys, days: 2)
        #expect(try ring().retired.isEmpty)
    }

    /// A right clock at the confirmation, and one that was set back at the next start.
    @Test func aClockThatIsSetBackLaterEndsNoKey() throws {
        let keys = device()
        let first = try keys.prepare().registration
        try start(keys, days: 90)
        pass(days: 60)
        try keys.confirm(keys.registration())
        let now = time.now
        time.advance(by: -now.timeIntervalSince1970)
        _ = try keys.prepare()
        time.advance(by: now.timeIntervalSince1970)
        try keys.recordTime(of: push(issuedAt: time.now, signer: first.key.keyID))
        _ = try keys.prepare()
        #expect(try ring().retired.map(\.key.publicKey) == [first.key])
    }

    /// A keyring that was made elsewhere, and a clock that is past 2038 at the first start.
    @Test func aWrongClockAtTheFirstLookEndsNoKey() throws {
        var ring = try Keyring<RecipientPrivateKey>(createdAt: time.now - Self.day)
        try ring.rotate(at: time.now)
        let store = TestKeyringStore(ring)
        pass(days: 5000)
        #expect(try device(store: store).prepare().preparation == .unchanged)
        #expect(store.stored?.retired.count == 1)
    }

    /// Under a wrong clock at the very first start rotation goes on, and keys end.
    @Test(arguments: [0, 2_200_000_000]) func aWrongClockAtTheVeryFirstStartKeepsNoKey(clock: Double) throws {
        let right = time.now
        time.advance(by: clock - right.timeIntervalSince1970)
        let keys = device()
        let first = try keys.prepare().registration
        time.advance(by: right.timeIntervalSince1970 - clock)
        try start(keys, days: 91)
        try keys.confirm(keys.registration())
        #expect(try ring().retired.map(\.key.publicKey) == [first.key])
        try start(keys, days: 33)
        #expect(try ring().retired.isEmpty)
    }

    // MARK: Stores that fail

    @Test(arguments: [true, false]) func anUnreadableStoreNeverMakesAKey(isEmpty: Bool) throws {
        if !isEmpty { _ = try device().prepare() }
        let before = store.stored?.primary.key.publicKey
        let known = Registration(key: try TestKeys.device().publicKey, generation: 1, created: time.now)
        store.behavior = .unreadable(CocoaError(.fileReadNoPermission))
        #expect(thrownError { try device().prepare() }?.code == .keyUnreadable)
        #expect(thrownError { try device().registration() }?.code == .keyUnreadable)
        #expect(thrownError { try device().confirm(known) }?.code == .keyUnreadable)
        #expect(thrownError { try device().advanceGeneration(beyond: 1) }?.code == .keyUnreadable)
        let push = try push(issuedAt: time.now, signer: known.key.keyID)
        #expect(thrownError { try device().recordTime(of: push) }?.code == .keyUnreadable)
        store.behavior = .working
        #expect(store.stored?.primary.key.publicKey == before)
        #expect(try device().prepare().preparation == (isEmpty ? .created : .unchanged))
        #expect(store.stored?.keys.count == 1)
    }

    @Test func whatCouldNotBeWrittenIsDoneAtTheNextStart() throws {
        let keys = device()
        store.behavior = .failingOnce(CocoaError(.fileWriteOutOfSpace))
        #expect(thrownError { try keys.prepare() }?.code == .keyUnreadable)
        #expect(store.stored == nil)
        #expect(try keys.prepare().preparation == .created)
        try start(keys, days: 89)
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

    @Test func whatAStoreSaysIsNotRepeated() throws {
        struct Talkative: Error, CustomStringConvertible { let description = "d=SECRET" }
        for behavior in [TestKeyringStore.Behavior.unreadable(Talkative()), .unwritable(Talkative())] {
            store.behavior = (behavior)
            let error = try #require(thrownError { try device().prepare() })
            #expect(error.code == .keyUnreadable)
            #expect(!error.description.contains("SECRET") && error.reason.contains("Talkative"))
        }
    }

    @Test func anErrorOfTheStoreIsNotTakenForOneOfTheKeys() throws {
        store.behavior = .unreadable(PushCryptError(.unknownKey, "Not here."))
        #expect(thrownError { try device().prepare() }?.code == .keyUnreadable)
        #expect(thrownError { try device().registration() }?.code == .keyUnreadable)
    }

    @Test(arguments: [PushCryptError.Code.deviceLocked, .missingEntitlement])
    func aStoreMaySayExactlyWhyItCannotBeRead(_ code: PushCryptError.Code) throws {
        store.behavior = .unreadable(PushCryptError(code, "What to do."))
        for error in [thrownError { try device().prepare() }, thrownError { try device().registration() }] {
            #expect(error?.code == code && error?.reason == "What to do.")
        }
        #expect(store.stored == nil)
    }

    /// A store in which another process has made the first keyring between two calls of a change, and which then fails.
    private struct RepeatingStore: KeyringStore {
        let ring: Keyring<RecipientPrivateKey>

        func keyring() throws -> Keyring<RecipientPrivateKey>? { ring }
        func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey { try ring.key(for: id) }
        func update(_ change: (inout Keyring<RecipientPrivateKey>?) throws(PushCryptError) -> Void) throws {
            var nothing: Keyring<RecipientPrivateKey>?
            try? change(&nothing)
            var ring: Keyring<RecipientPrivateKey>? = ring
            try change(&ring)
            throw PushCryptError(.deviceLocked, "What to do.")
        }
    }

    @Test func whatAnEarlierCallHasRefusedIsForgotten() throws {
        let store = RepeatingStore(ring: try Keyring(createdAt: time.now))
        let registration = try device(store: store).registration()
        #expect(thrownError { try device(store: store).confirm(registration) }?.code == .deviceLocked)
        #expect(
            thrownError { try device(store: store).advanceGeneration(beyond: 1 << 60) }?.code == .malformedRegistration)
    }

    @Test func thereIsNoRegistrationBeforeTheFirstStart() throws {
        #expect(thrownError { try device().registration() }?.code == .unknownKey)
        try device().advanceGeneration(beyond: 7)
        #expect(store.stored == nil)
    }

    // MARK: Installations

    @Test func aReinstalledAppKeepsItsKeys() throws {
        let first = try device().prepare().registration
        let (start, registration) = try device("device", "other").prepare()
        #expect(start == .reinstalled)
        #expect(registration.key == first.key && registration.generation == 2)
        #expect(try device("device", "other").prepare().preparation == .unchanged)
    }

    @Test func anAppThatWasRestoredOnAnotherDeviceHasAKeyOfItsOwn() throws {
        let first = try device().prepare().registration
        let pending = try device().renew()
        let (start, registration) = try device("other", "installation").prepare()
        #expect(start == .restored)
        #expect(registration.key != first.key && registration.generation == 3)
        // It may be the same device under another name, with pushes under way.
        #expect(try ring().retired.map(\.key.publicKey) == [first.key, pending.key])
        #expect(try ring().pending.isEmpty)
        #expect(try device("other", "installation").prepare().preparation == .unchanged)
        for _ in 1...33 {
            time.advance(by: 86_400)
            _ = try device("other", "installation").prepare()
        }
        #expect(try ring().keys.map(\.publicKey) == [registration.key])
    }

    @Test(arguments: [("", "installation"), ("device", "")])
    func withoutANameNothingIsDone(names: (String, String)) throws {
        let first = try device().prepare().registration
        #expect(thrownError { try device(names.0, names.1).prepare() }?.code == .keyUnreadable)
        #expect(try device().prepare().registration == first)
    }

    @Test func keysThatMayHaveLeakedAreRenewed() throws {
        #expect(thrownError { try device().renew() }?.code == .unknownKey)
        let first = try device().prepare().registration
        let second = try device().renew()
        let third = try device().renew()
        #expect(Set([first.key, second.key, third.key]).count == 3)
        #expect(try ring().primary.key.publicKey == first.key && ring().pending.map(\.key.publicKey) == [third.key])
        #expect(try ring().retired.map(\.key.publicKey) == [second.key])
        #expect(try device().registration() == third)
        try device().confirm(third)
        #expect(try ring().primary.key.publicKey == third.key && ring().pending.isEmpty)
    }

    @Test func aKeyringWithoutAnOwnerIsTheAppsOwn() throws {
        let ring = try Keyring<RecipientPrivateKey>(createdAt: time.now)
        let store = TestKeyringStore(ring)
        let (start, registration) = try device(store: store).prepare()
        #expect(start == .unchanged)
        #expect(registration.key == ring.primary.key.publicKey)
        #expect(try device("other", store: store).prepare().preparation == .restored, "It has an owner now.")
    }

    // MARK: Generations and known times

    @Test func afterOvertakingTheSameKeyIsNewer() throws {
        let first = try device().prepare().registration
        try device().advanceGeneration(beyond: 41)
        let registration = try device().registration()
        #expect(registration.key == first.key && registration.generation == 42)
        #expect(thrownError { try device().advanceGeneration(beyond: 1 << 50) }?.code == .malformedRegistration)
        #expect(try device().registration() == registration)
    }

    @Test func aNotedPushBringsTheTimeForward() throws {
        let keys = device()
        let signer = try keys.prepare().registration.key.keyID
        let start = time.now
        try keys.recordTime(of: push(issuedAt: start + 60 * Self.day, signer: signer))
        #expect(try ring().elapsedTime?.estimate == start + 56 * Self.day)
        #expect(try ring().generation == 1)
    }

    @Test func aPushIsNotNotedWithoutASignatureOrForLessThanADay() throws {
        let keys = device()
        let signer = try keys.prepare().registration.key.keyID
        try keys.recordTime(of: push(issuedAt: time.now + 60 * Self.day, signer: nil))
        try keys.recordTime(of: push(issuedAt: time.now + 5 * Self.day, signer: signer))
        try keys.recordTime(of: push(issuedAt: time.now - 60 * Self.day, signer: signer))
        #expect(store.changes == 1)
        try keys.recordTime(of: push(issuedAt: time.now + 5 * Self.day + 1, signer: signer))
        #expect(store.changes == 2)
    }

    @Test func thereIsNothingToNoteBeforeTheFirstStart() throws {
        let push = try push(issuedAt: time.now, signer: TestKeys.device().publicKey.keyID)
        #expect(thrownError { try device().recordTime(of: push) }?.code == .unknownKey)
        #expect(store.stored == nil)
    }
}
