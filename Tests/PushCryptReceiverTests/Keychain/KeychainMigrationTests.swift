import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// Items of another protection class, which only a change moves.
@Suite struct KeychainMigrationTests {
    let fixture = KeychainFixture()

    private static let others: [KeychainAccessibility?] =
        KeychainAccessibility.allCases.filter { $0 != .afterFirstUnlockThisDeviceOnly } + [nil]

    @Test("An item of another class is moved", arguments: others, [nil, [5]] as [[UInt8]?])
    func itemOfAnotherClassIsMoved(_ accessible: KeychainAccessibility?, _ revision: [UInt8]?)
        throws
    {
        let time = TestClock()
        let first = try fixture.device(time: time).prepare().registration
        let before = fixture.bytes
        fixture.put(try fixture.item.data, accessible, revision: revision)
        #expect(try fixture.device(time: time).prepare() == (.unchanged, first, false))
        #expect(try fixture.item.accessible == .afterFirstUnlockThisDeviceOnly)
        #expect(fixture.bytes == before, "The keyring stays as it is.")
        #expect(try fixture.item.generic?.count == 16)
        fixture.keychain.device = .locked
        #expect(try fixture.store.recipientKey(first.key.keyID).publicKey == first.key)
        let updates = fixture.keychain.count(of: .update)
        _ = try fixture.device(time: time).prepare()
        #expect(fixture.keychain.count(of: .update) == updates, "The item moves once.")
    }

    @Test("A change moves the item") func changeMovesTheItem() throws {
        try fixture.make()
        fixture.put(try fixture.item.data, .whenUnlocked)
        try fixture.rotate(fixture.store)
        #expect(
            try fixture.item.accessible == .afterFirstUnlockThisDeviceOnly
                && fixture.stored.generation == 2)
        #expect(fixture.keychain.count(of: .update) == 1)
    }

    @Test("The extension reads and doesn't move the item") func extensionReadsAndDoesntMoveTheItem()
        throws
    {
        let id = try fixture.make().primary.key.publicKey.keyID
        fixture.put(try fixture.item.data, .whenUnlocked)
        let updates = fixture.keychain.count(of: .update)
        _ = try fixture.otherStore.recipientKey(id)
        _ = try fixture.device(fixture.otherStore, time: TestClock()).registration()
        #expect(try fixture.item.accessible == .whenUnlocked)
        #expect(fixture.keychain.count(of: .update) == updates)
    }

    @Test("A locked device moves and loses nothing") func lockedDeviceMovesAndLosesNothing() throws
    {
        let time = TestClock()
        let first = try fixture.device(time: time).prepare().registration
        fixture.put(try fixture.item.data, .whenUnlocked)
        fixture.keychain.device = .locked
        let error = try #require(thrownError { try fixture.device(time: time).prepare() })
        #expect(
            error.code == .deviceLocked && error.reason.contains("while the device is unlocked"))
        #expect(try fixture.item.accessible == .whenUnlocked)
        fixture.keychain.device = .unlocked
        #expect(try fixture.device(time: time).prepare() == (.unchanged, first, false))
        #expect(try fixture.item.accessible == .afterFirstUnlockThisDeviceOnly)
    }

    @Test(
        "Keys survive a failed migration",
        arguments: [KeychainStatus.authFailed, .parameter, .interactionNotAllowed])
    func keysSurviveAFailedMigration(_ status: KeychainStatus) throws {
        let time = TestClock()
        let first = try fixture.device(time: time).prepare().registration
        fixture.put(try fixture.item.data, .whenUnlocked)
        let before = fixture.bytes
        fixture.keychain.failNext(.update, with: status)
        #expect(thrownError { try fixture.device(time: time).prepare() } != nil)
        #expect(try fixture.bytes == before && fixture.item.accessible == .whenUnlocked)
        #expect(try fixture.store.recipientKey(first.key.keyID).publicKey == first.key)
        #expect(
            try fixture.device(time: time).prepare() == (.unchanged, first, false),
            "The next start tries again.")
        #expect(try fixture.item.accessible == .afterFirstUnlockThisDeviceOnly)
    }

    @Test("A concurrent change isn't lost in a migration")
    func concurrentChangeIsntLostInAMigration() throws {
        try fixture.make()
        fixture.put(try fixture.item.data, .whenUnlocked)
        let (other, now) = (fixture.otherStore, fixture.now)
        fixture.keychain.beforeNext(.update) {
            try? other.update { (ring) throws(PushCryptError) in try ring?.rotate(at: now) }
        }
        try fixture.store.update { _ in }
        #expect(try fixture.stored.generation == 2)
        #expect(try fixture.item.accessible == .afterFirstUnlockThisDeviceOnly)
    }
}
