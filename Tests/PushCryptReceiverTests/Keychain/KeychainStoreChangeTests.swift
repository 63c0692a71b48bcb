import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptCore
@testable import PushCryptKeyring
@testable import PushCryptReceiver

/// Changes that are stored completely or not at all, with another process at the same time.
@Suite struct KeychainStoreChangeTests {
    let fixture = KeychainFixture()

    private var calls: [Int] { [.add, .update, .delete].map { fixture.keychain.count(of: $0) } }

    // MARK: Writes

    @Test("An unchanged keyring isn't written") func unchangedKeyringIsntWritten() throws {
        try fixture.make()
        let (before, revision) = (calls, try fixture.item.generic)
        try fixture.store.update { _ in }
        try fixture.store.update { $0 = nil }
        #expect(try calls == before && fixture.item.generic == revision)
        #expect(try fixture.store.keyring()?.generation == 1, "No change removes the keyring.")
    }

    @Test("Each write has a new revision") func eachWriteHasANewRevision() throws {
        try fixture.make()
        var revisions: Set<[UInt8]> = [try #require(try fixture.item.generic)]
        for _ in 0..<5 {
            try fixture.rotate(fixture.store)
            revisions.insert(try #require(try fixture.item.generic))
        }
        #expect(revisions.count == 6 && revisions.allSatisfy { $0.count == 16 })
        #expect(try fixture.stored.keys.count == 6)
    }

    @Test("Other keys require a greater generation") func otherKeysRequireAGreaterGeneration()
        throws
    {
        try fixture.make()
        let before = fixture.bytes
        let ring = try fixture.ring()
        #expect(thrownError { try fixture.store.update { $0 = ring } }?.code == .malformedKeyring)
        #expect(fixture.bytes == before && calls == [1, 0, 0])
    }

    @Test("A keyring that can't be parsed is never written")
    func keyringThatCantBeParsedIsNeverWritten() throws {
        // The same key twice.
        let once = try fixture.ring()
        let twice = DeviceKeyring(
            Keyring(generation: 7, primary: once.primary, pending: [once.primary]))
        #expect(thrownError { try fixture.store.update { $0 = twice } }?.code == .duplicateKey)
        #expect(fixture.keychain.items.isEmpty && calls == [0, 0, 0])
        try fixture.make()
        let before = fixture.bytes
        #expect(thrownError { try fixture.store.update { $0 = twice } }?.code == .duplicateKey)
        #expect(fixture.bytes == before && calls == [1, 0, 0])
    }

    @Test("A change that throws stores nothing") func changeThatThrowsStoresNothing() throws {
        let ring = try fixture.ring()
        func change() throws {
            try fixture.store.update { (keyring) throws(PushCryptError) in
                if keyring == nil { keyring = ring }
                try keyring?.rotate(at: fixture.now)
                throw PushCryptError(.sodiumUnavailable, "x")
            }
        }
        #expect(thrownError(change)?.code == .sodiumUnavailable)
        #expect(fixture.keychain.items.isEmpty)
        try fixture.make()
        #expect(thrownError(change)?.code == .sodiumUnavailable)
        #expect(try fixture.stored.generation == 1 && calls == [1, 0, 0])
    }

    // MARK: Reading back

    @Test("A first keyring that is stored damaged is deleted again")
    func firstKeyringThatIsStoredDamagedIsDeletedAgain() throws {
        let (keychain, name) = (fixture.keychain, fixture.name)
        let damaged = try KeychainFixture.secret("damaged")
        keychain.beforeNext(.add) {
            keychain.beforeNext(.copyMatching) {
                let item = keychain.items[name]
                keychain.put(
                    name,
                    KeychainItem(
                        accessible: item?.accessible, generic: item?.generic, data: damaged))
            }
        }
        #expect(thrownError { try fixture.make() }?.code == .keyUnreadable)
        #expect(keychain.items.isEmpty, "The next start must not find it.")
        try fixture.make()
    }

    @Test("A changed keyring that is stored damaged is undone")
    func changedKeyringThatIsStoredDamagedIsUndone() throws {
        try fixture.make()
        let before = fixture.bytes
        let (keychain, name) = (fixture.keychain, fixture.name)
        for damaged in [try KeychainFixture.secret("damaged"), nil] {
            keychain.beforeNext(.update) {
                keychain.beforeNext(.copyMatching) {
                    let item = keychain.items[name]
                    keychain.put(
                        name,
                        KeychainItem(
                            accessible: item?.accessible, generic: item?.generic, data: damaged))
                }
            }
            #expect(thrownError { try fixture.rotate(fixture.store) }?.code == .keyUnreadable)
            #expect(fixture.bytes == before)
        }
        try fixture.rotate(fixture.store)
        #expect(try fixture.stored.generation == 2)
    }

    @Test("A write that can't be read back fails") func writeThatCantBeReadBackFails() throws {
        let (keychain, name) = (fixture.keychain, fixture.name)
        try fixture.make()
        keychain.beforeNext(.update) {
            keychain.failNext(.copyMatching, with: .interactionNotAllowed)
        }
        #expect(thrownError { try fixture.rotate(fixture.store) }?.code == .deviceLocked)
        keychain.beforeNext(.update) {
            keychain.beforeNext(.copyMatching) { keychain.put(name, nil) }
        }
        #expect(thrownError { try fixture.rotate(fixture.store) }?.code == .keyUnreadable)
        #expect(keychain.items.isEmpty)
    }

    @Test("A later change of another process isn't undone")
    func laterChangeOfAnotherProcessIsntUndone() throws {
        try fixture.make()
        let (keychain, other, now) = (fixture.keychain, fixture.otherStore, fixture.now)
        keychain.beforeNext(.update) {
            keychain.beforeNext(.copyMatching) {
                try? other.update { (ring) throws(PushCryptError) in try ring?.rotate(at: now) }
            }
        }
        try fixture.rotate(fixture.store)
        #expect(try fixture.stored.generation == 3 && fixture.stored.keys.count == 3)
        #expect(keychain.count(of: .update) == 1)
    }

    @Test("An older keyring under another revision is a failure")
    func olderKeyringUnderAnotherRevisionIsAFailure()
        throws
    {
        try fixture.make()
        let (keychain, name) = (fixture.keychain, fixture.name)
        let old = try fixture.item
        keychain.beforeNext(.update) {
            keychain.beforeNext(.copyMatching) { keychain.put(name, old) }
        }
        #expect(thrownError { try fixture.rotate(fixture.store) }?.code == .keyUnreadable)
        #expect(try fixture.stored.generation == 1)
    }

    /// Another process has written invalid data, which only that process may undo.
    @Test("Another process's write isn't undone", arguments: [false, true])
    func anotherProcesssWriteIsntUndone(
        isThere: Bool
    ) throws {
        if isThere { try fixture.make() }
        let (keychain, name) = (fixture.keychain, fixture.name)
        let theirs = KeychainItem(
            accessible: .afterFirstUnlockThisDeviceOnly, generic: [9],
            data: try KeychainFixture.secret("theirs"))
        keychain.beforeNext(isThere ? .update : .add) {
            keychain.beforeNext(.copyMatching) { keychain.put(name, theirs) }
        }
        let error = thrownError {
            if isThere { try fixture.rotate(fixture.store) } else { try fixture.make() }
        }
        #expect(error?.code == .keyUnreadable)
        #expect(fixture.bytes == Array("theirs".utf8))
        #expect(keychain.items[name]?.generic == [9])
    }

    // MARK: The other process

    @Test("A duplicate item means that the other process was first")
    func duplicateItemMeansThatTheOtherProcessWasFirst() throws {
        let (keychain, other) = (fixture.keychain, fixture.otherStore)
        let (ring, theirs) = (try fixture.ring(), try fixture.ring())
        keychain.beforeNext(.add) { try? other.update { $0 = theirs } }
        var seen: [UInt64?] = []
        try fixture.store.update { keyring in
            seen.append(keyring?.generation)
            if keyring == nil { keyring = ring }
        }
        #expect(seen == [nil, 1])
        #expect(try fixture.stored.primary.key.publicKey == theirs.primary.key.publicKey)
        #expect(keychain.count(of: .add) == 1 && keychain.count(of: .update) == 0)
    }

    @Test("Concurrent first starts create one key") func concurrentFirstStartsCreateOneKey() throws
    {
        let time = TestClock()
        let (keychain, other) = (fixture.keychain, fixture.device(fixture.otherStore, time: time))
        let started = LockedValue<KeyPreparation?>(nil)
        keychain.beforeNext(.add) {
            let start = try? other.prepare().preparation
            started.withLock { $0 = start }
        }
        let (start, registration, _) = try fixture.device(time: time).prepare()
        #expect(started.withLock { $0 } == .created && start == .unchanged)
        #expect(try fixture.stored.keys.map(\.publicKey) == [registration.key])
        #expect(try other.registration() == registration)
    }

    @Test("A concurrent change isn't lost") func concurrentChangeIsntLost() throws {
        try fixture.make()
        let (keychain, other, now) = (fixture.keychain, fixture.otherStore, fixture.now)
        for _ in 0..<3 {
            keychain.beforeNext(.update) {
                try? other.update { (ring) throws(PushCryptError) in try ring?.rotate(at: now) }
            }
        }
        var seen: [UInt64?] = []
        try fixture.store.update { (ring) throws(PushCryptError) in
            seen.append(ring?.generation)
            try ring?.rotate(at: now)
        }
        #expect(seen == [1, 2, 3, 4])
        #expect(try fixture.stored.generation == 5 && fixture.stored.keys.count == 5)
    }

    @Test("An item that is deleted during a change stays deleted")
    func itemThatIsDeletedDuringAChangeStaysDeleted()
        throws
    {
        try fixture.make()
        let (keychain, other) = (fixture.keychain, fixture.otherStore)
        keychain.beforeNext(.update) { try? other.deleteKeyring() }
        try fixture.rotate(fixture.store)
        #expect(keychain.items.isEmpty, "A deleted keyring doesn't come back.")
    }

    @Test("An endless race ends in an error") func endlessRaceEndsInAnError() throws {
        try fixture.make()
        for _ in 0..<KeychainStore.attempts {
            fixture.keychain.failNext(.update, with: .itemNotFound)
        }
        let error = try #require(thrownError { try fixture.rotate(fixture.store) })
        #expect(error.code == .keyUnreadable && error.reason.contains("Try again"))
        #expect(fixture.keychain.count(of: .update) == KeychainStore.attempts)
        try fixture.rotate(fixture.store)
        #expect(try fixture.stored.generation == 2)
        let empty = KeychainFixture()
        for _ in 0..<KeychainStore.attempts { empty.keychain.failNext(.add, with: .duplicateItem) }
        #expect(thrownError { try empty.make() }?.code == .keyUnreadable)
        #expect(empty.keychain.items.isEmpty)
    }

    // MARK: Items without a revision

    @Test("An item without a revision gets one", arguments: [nil, []] as [[UInt8]?])
    func itemWithoutARevisionGetsOne(
        _ revision: [UInt8]?
    ) throws {
        try fixture.make()
        fixture.put(try fixture.item.data, revision: revision)
        try fixture.store.update { _ in }
        #expect(try fixture.item.generic == revision, "An unchanged keyring isn't written.")
        try fixture.rotate(fixture.store)
        #expect(try fixture.item.generic?.count == 16)
        #expect(try fixture.stored.generation == 2 && fixture.stored.keys.count == 2)
    }

    @Test("Two changes of an item without a revision are both kept")
    func twoChangesOfAnItemWithoutARevisionAreBothKept() throws {
        try fixture.make()
        let (keychain, other, now) = (fixture.keychain, fixture.otherStore, fixture.now)
        let data = try fixture.item.data
        for number in 0..<2 {
            fixture.put(data, revision: nil)
            // Before the revision is added, and after it.
            if number == 1 { keychain.beforeNext(.update) {} }
            keychain.beforeNext(.update) {
                try? other.update { (ring) throws(PushCryptError) in try ring?.rotate(at: now) }
            }
            try fixture.rotate(fixture.store)
            #expect(try fixture.stored.generation == 3 && fixture.stored.keys.count == 3)
        }
    }

    @Test("Another program's revision is accepted") func anotherProgramsRevisionIsAccepted() throws
    {
        try fixture.make()
        fixture.put(try fixture.item.data, revision: [7])
        try fixture.rotate(fixture.store)
        #expect(try fixture.stored.generation == 2 && fixture.item.generic?.count == 16)
        #expect(fixture.keychain.count(of: .update) == 1)
    }
}
