import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The stored item.
@Suite struct KeychainStoreTests {
    let fixture = KeychainFixture()

    @Test("A missing item is no keyring and no error") func missingItemIsNoKeyringAndNoError()
        throws
    {
        #expect(try fixture.store.keyring() == nil)
        #expect(
            thrownError { try fixture.store.recipientKey(TestKeys.device().publicKey.keyID) }?.code
                == .unknownKey)
        var asked = 0
        try fixture.store.update { ring in
            #expect(ring == nil)
            asked += 1
        }
        #expect(asked == 1)
        #expect(fixture.keychain.items.isEmpty && fixture.keychain.count(of: .add) == 0)
    }

    @Test("Both processes read the stored keyring") func bothProcessesReadTheStoredKeyring() throws
    {
        let ring = try fixture.make()
        for store in [fixture.store, fixture.otherStore] {
            #expect(try #require(try store.keyring()).hasSameContents(as: ring))
            let id = ring.primary.key.publicKey.keyID
            #expect(try store.recipientKey(id).publicKey.keyID == id)
            #expect(
                thrownError { try store.recipientKey(TestKeys.device().publicKey.keyID) }?.code
                    == .unknownKey)
        }
    }

    @Test("The item has only the documented attributes") func itemHasOnlyTheDocumentedAttributes()
        throws
    {
        try fixture.make()
        #expect(Array(fixture.keychain.items.keys) == [fixture.name])
        let item = try fixture.item
        #expect(item.accessible == .afterFirstUnlockThisDeviceOnly)
        #expect(item.generic?.count == 16)
        let data = try #require(item.data)
        #expect(
            data.isEqual(to: try fixture.stored.exportWithPrivateKeys()),
            "A file has the same data.")
    }

    @Test("The item never leaves the device") func itemNeverLeavesTheDevice() throws {
        let keychain = NotingKeychain(fixture.keychain)
        let store = KeychainStore(keychain, accessGroup: KeychainFixture.group)
        let ring = try fixture.ring()
        try store.update { $0 = ring }
        try fixture.rotate(store)
        _ = try store.recipientKey(ring.primary.key.publicKey.keyID)
        fixture.put(try fixture.item.data, .whenUnlocked, revision: nil)
        try store.update { _ in }
        try store.deleteKeyring()
        #expect(keychain.names == [fixture.name], "Every call has the whole name.")
        #expect(keychain.names.allSatisfy { !$0.isSynchronizable && $0.usesDataProtection })
        #expect(Set(keychain.written.compactMap(\.accessible)) == [.afterFirstUnlockThisDeviceOnly])
    }

    @Test("The app chooses account and service") func appChoosesAccountAndService() throws {
        let store = KeychainStore(
            fixture.keychain, accessGroup: KeychainFixture.group, service: "service",
            account: "alice")
        try fixture.make()
        #expect(try store.keyring() == nil)
        let ring = try fixture.ring()
        try store.update { $0 = ring }
        #expect(Set(fixture.keychain.items.keys.map(\.account)) == ["device-keyring", "alice"])
        #expect(Set(fixture.keychain.items.keys.map(\.service)) == ["pushcrypt", "service"])
        try store.deleteKeyring()
        #expect(try store.keyring() == nil)
        #expect(try fixture.store.keyring() != nil)
    }

    @Test("A rotation by the other process is seen at once")
    func rotationByTheOtherProcessIsSeenAtOnce() throws {
        try fixture.make()
        let store = fixture.store
        _ = try store.keyring()
        try fixture.rotate(fixture.otherStore)
        let id = try fixture.stored.primary.key.publicKey.keyID
        let reads = fixture.keychain.count(of: .copyMatching)
        for _ in 0..<3 { #expect(try store.recipientKey(id).publicKey.keyID == id) }
        #expect(fixture.keychain.count(of: .copyMatching) == reads + 3)
    }

    @Test("Reading doesn't write") func readingDoesntWrite() throws {
        try fixture.make()
        // A change would fix this item.
        fixture.put(try fixture.item.data, .whenUnlocked, revision: nil)
        let (adds, id) = (
            fixture.keychain.count(of: .add), try fixture.stored.primary.key.publicKey.keyID
        )
        _ = try fixture.store.keyring()
        _ = try fixture.store.recipientKey(id)
        #expect(
            fixture.keychain.count(of: .add) == adds && fixture.keychain.count(of: .update) == 0)
        #expect(try fixture.item.accessible == .whenUnlocked)
    }

    @Test("A deletion can be repeated") func deletionCanBeRepeated() throws {
        try fixture.make()
        try fixture.store.deleteKeyring()
        #expect(fixture.keychain.items.isEmpty)
        try fixture.store.deleteKeyring()
        #expect(try fixture.store.keyring() == nil)
    }

    @Test("A failed deletion keeps the keyring") func failedDeletionKeepsTheKeyring() throws {
        try fixture.make()
        fixture.keychain.failNext(.delete, with: .interactionNotAllowed)
        #expect(thrownError { try fixture.store.deleteKeyring() }?.code == .deviceLocked)
        #expect(try fixture.store.keyring() != nil)
    }
}

/// A keychain that records its calls.
private final class NotingKeychain: Keychain {
    private let keychain: TestKeychain
    private let noted = LockedValue<(names: Set<KeychainItemKey>, written: [KeychainItem])>(
        ([], []))

    init(_ keychain: TestKeychain) { self.keychain = keychain }

    var names: Set<KeychainItemKey> { noted.withLock { $0.names } }
    var written: [KeychainItem] { noted.withLock { $0.written } }

    func add(_ name: KeychainItemKey, _ contents: KeychainItem) -> KeychainStatus {
        note(name, contents)
        return keychain.add(name, contents)
    }

    func copyMatching(_ name: KeychainItemKey) -> (status: KeychainStatus, item: KeychainItem) {
        note(name)
        return keychain.copyMatching(name)
    }

    func update(_ name: KeychainItemKey, having generic: [UInt8]?, to contents: KeychainItem)
        -> KeychainStatus
    {
        note(name, contents)
        return keychain.update(name, having: generic, to: contents)
    }

    func delete(_ name: KeychainItemKey, having generic: [UInt8]?) -> KeychainStatus {
        note(name)
        return keychain.delete(name, having: generic)
    }

    private func note(_ name: KeychainItemKey, _ contents: KeychainItem? = nil) {
        noted.withLock {
            $0.names.insert(name)
            if let contents { $0.written.append(contents) }
        }
    }
}
