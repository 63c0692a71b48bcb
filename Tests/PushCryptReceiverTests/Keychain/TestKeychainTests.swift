import Dispatch
import Foundation
import PushCryptCore
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

@Suite struct TestKeychainTests {
    let keychain = TestKeychain(accessGroups: ["group"])
    let name = KeychainItemKey(service: "service", account: "account", accessGroup: "group")

    private func contents(
        _ data: String = "secret",
        _ accessible: KeychainAccessibility? = .afterFirstUnlockThisDeviceOnly,
        generic: [UInt8]? = [1]
    ) throws -> KeychainItem {
        let bytes = Array(data.utf8)
        let secret = try SecretBytes(copying: bytes.span)
        return KeychainItem(accessible: accessible, generic: generic, data: secret)
    }

    private func text(_ contents: KeychainItem) -> String? {
        contents.data?.withSpan { bytes in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
    }

    @Test("An added item is found with all attributes") func addedItemIsFoundWithAllAttributes()
        throws
    {
        #expect(keychain.copyMatching(name).status == .itemNotFound)
        #expect(keychain.add(name, try contents()) == .success)
        let (status, found) = keychain.copyMatching(name)
        #expect(status == .success && text(found) == "secret" && found.generic == [1])
        #expect(found.accessible == .afterFirstUnlockThisDeviceOnly)
    }

    @Test("A key exists once, and each part of it counts") func keyExistsOnceAndEachPartOfItCounts()
        throws
    {
        let names = [
            name, KeychainItemKey(service: "other", account: "account", accessGroup: "group"),
            KeychainItemKey(service: "service", account: "other", accessGroup: "group"),
        ]
        for name in names { #expect(keychain.add(name, try contents()) == .success) }
        for name in names { #expect(keychain.add(name, try contents("other")) == .duplicateItem) }
        #expect(keychain.items.count == names.count)
        #expect(names.allSatisfy { text(keychain.copyMatching($0).item) == "secret" })
    }

    @Test("An update changes the matching item only") func updateChangesTheMatchingItemOnly() throws
    {
        #expect(keychain.update(name, having: nil, to: try contents()) == .itemNotFound)
        _ = keychain.add(name, try contents())
        #expect(keychain.update(name, having: [2], to: try contents("other")) == .itemNotFound)
        #expect(text(keychain.copyMatching(name).item) == "secret")
        #expect(keychain.update(name, having: [1], to: KeychainItem(generic: [2])) == .success)
        let found = keychain.copyMatching(name).item
        #expect(
            found.generic == [2] && text(found) == "secret"
                && found.accessible == .afterFirstUnlockThisDeviceOnly)
        #expect(
            keychain.update(
                name, having: nil, to: try contents("other", .whenUnlocked, generic: nil))
                == .success)
        let other = keychain.copyMatching(name).item
        #expect(other.generic == [2] && text(other) == "other" && other.accessible == .whenUnlocked)
    }

    @Test("A deletion needs a match and no unlocked device")
    func deletionNeedsAMatchAndNoUnlockedDevice() throws {
        #expect(keychain.delete(name, having: nil) == .itemNotFound)
        _ = keychain.add(name, try contents())
        keychain.device = .beforeFirstUnlock
        #expect(keychain.delete(name, having: [2]) == .itemNotFound)
        #expect(keychain.delete(name, having: [1]) == .success)
        #expect(keychain.items.isEmpty)
    }

    @Test(
        "The protection class decides when an item can be used",
        arguments: KeychainAccessibility.allCases,
        [TestKeychain.Device.beforeFirstUnlock, .locked, .unlocked])
    func protectionClassDecidesWhenAnItemCanBeUsed(
        _ accessible: KeychainAccessibility, _ device: TestKeychain.Device
    )
        throws
    {
        let isAfterFirstUnlock = [.afterFirstUnlock, .afterFirstUnlockThisDeviceOnly].contains(
            accessible)
        let isReadable = device == .unlocked || (device == .locked && isAfterFirstUnlock)
        let expected: KeychainStatus = isReadable ? .success : .interactionNotAllowed
        keychain.put(name, try contents("secret", accessible))
        keychain.device = device
        let (status, found) = keychain.copyMatching(name)
        #expect(status == expected && (found.data != nil) == isReadable)
        #expect(keychain.update(name, having: [1], to: KeychainItem(generic: [1])) == expected)
        keychain.put(name, nil)
        #expect(keychain.add(name, try contents("secret", accessible)) == expected)
        #expect(keychain.items.isEmpty == !isReadable)
    }

    @Test("The default class is for unlocked devices") func defaultClassIsForUnlockedDevices()
        throws
    {
        _ = keychain.add(name, try contents("secret", nil))
        #expect(keychain.copyMatching(name).item.accessible == .whenUnlocked)
    }

    @Test("An item isn't moved to a class that is locked") func itemIsntMovedToAClassThatIsLocked()
        throws
    {
        _ = keychain.add(name, try contents())
        keychain.device = .locked
        #expect(
            keychain.update(name, having: nil, to: KeychainItem(accessible: .whenUnlocked))
                == .interactionNotAllowed)
    }

    @Test("Each call requires the entitlement for the access group")
    func eachCallRequiresTheEntitlementForTheAccessGroup() throws {
        let other = keychain.sharing(accessGroups: ["other"])
        _ = keychain.add(name, try contents())
        #expect(other.copyMatching(name).status == .missingEntitlement)
        #expect(other.copyMatching(name).item.data == nil)
        #expect(other.add(name, try contents()) == .missingEntitlement)
        #expect(other.update(name, having: nil, to: try contents()) == .missingEntitlement)
        #expect(other.delete(name, having: nil) == .missingEntitlement)
        #expect(
            text(keychain.sharing(accessGroups: ["other", "group"]).copyMatching(name).item)
                == "secret")
    }

    @Test("Calls are counted, fail and are interrupted") func callsAreCountedFailAndAreInterrupted()
        throws
    {
        let contents = try contents()
        keychain.failNext(.add, with: .authFailed)
        keychain.failNext(.add, with: .notAvailable)
        #expect(keychain.copyMatching(name).status == .itemNotFound, "Other calls succeed.")
        #expect(keychain.add(name, contents) == .authFailed)
        #expect(keychain.add(name, contents) == .notAvailable)
        #expect(keychain.items.isEmpty)
        let extensionSide = keychain.sharing(accessGroups: ["group"])
        keychain.beforeNext(.add) { [name] in _ = extensionSide.add(name, contents) }
        #expect(keychain.add(name, contents) == .duplicateItem)
        #expect(keychain.count(of: .add) == 3 && extensionSide.count(of: .add) == 1)
        #expect(keychain.count(of: .copyMatching) == 1 && keychain.count(of: .delete) == 0)
    }

    @Test("Calls are atomic") func callsAreAtomic() throws {
        let contents = try contents()
        let added = LockedValue(0)
        DispatchQueue.concurrentPerform(iterations: 40) { _ in
            let own = keychain.sharing(accessGroups: ["group"])
            if own.add(name, contents) == .success { added.withLock { $0 += 1 } }
        }
        #expect(added.withLock { $0 } == 1)
    }
}
