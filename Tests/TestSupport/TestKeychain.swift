import PushCryptCore
package import PushCryptReceiver
import PushCryptSystem

/// A keychain in memory that behaves like the system's: with keys, protection classes and access
/// groups.
///
/// Several stores and several threads may use it. ``sharing(accessGroups:)`` is the same keychain
/// for another target.
package final class TestKeychain: Keychain {
    /// The state of the device.
    package enum Device: Sendable {
        case beforeFirstUnlock, locked, unlocked
    }

    /// A call of a keychain.
    package enum Call: Hashable, Sendable {
        case add, copyMatching, update, delete
    }

    /// The state that all targets share.
    private struct Shared: Sendable {
        var items: [KeychainItemKey: KeychainItem] = [:]
        var device: Device
    }

    /// The test's instructions for the next calls of one target.
    private struct Script: Sendable {
        var calls: [Call: Int] = [:]
        var statuses: [Call: [KeychainStatus]] = [:]
        var actions: [Call: [@Sendable () -> Void]] = [:]
    }

    private let accessGroups: Set<String>
    private let shared: LockedValue<Shared>
    private let script = LockedValue(Script())

    /// Creates an empty keychain for a target with these access groups.
    package convenience init(accessGroups: Set<String>, device: Device = .unlocked) {
        self.init(accessGroups: accessGroups, shared: LockedValue(Shared(device: device)))
    }

    private init(accessGroups: Set<String>, shared: LockedValue<Shared>) {
        self.accessGroups = accessGroups
        self.shared = shared
    }

    /// Returns the same keychain for another target, with its own counts, failures and actions.
    package func sharing(accessGroups: Set<String>) -> TestKeychain {
        TestKeychain(accessGroups: accessGroups, shared: shared)
    }

    // MARK: Instructions

    /// The state of the device.
    package var device: Device {
        get { shared.withLock { $0.device } }
        set { shared.withLock { $0.device = newValue } }
    }

    /// Makes the next call of a kind do nothing and return a status.
    package func failNext(_ call: Call, with status: KeychainStatus) {
        script.withLock { $0.statuses[call, default: []].append(status) }
    }

    /// Runs an action before the next call of a kind, once: the other process in the middle of an
    /// update.
    package func beforeNext(_ call: Call, _ action: @escaping @Sendable () -> Void) {
        script.withLock { $0.actions[call, default: []].append(action) }
    }

    /// Returns the number of calls of a kind, including failed ones.
    package func count(of call: Call) -> Int {
        script.withLock { $0.calls[call] ?? 0 }
    }

    /// The items, independent of the state of the device.
    package var items: [KeychainItemKey: KeychainItem] { shared.withLock { $0.items } }

    /// Puts an item into the keychain, or deletes it, independent of the state of the device.
    package func put(_ key: KeychainItemKey, _ item: KeychainItem?) {
        shared.withLock { $0.items[key] = item }
    }

    // MARK: Keychain

    package func add(_ key: KeychainItemKey, _ item: KeychainItem) -> KeychainStatus {
        perform(.add, key) { shared in
            guard shared.items[key] == nil else { return .duplicateItem }
            var item = item
            item.accessible = item.accessible ?? .whenUnlocked
            guard Self.isReadable(item, shared.device) else { return .interactionNotAllowed }
            shared.items[key] = item
            return .success
        }
    }

    package func copyMatching(_ key: KeychainItemKey) -> (
        status: KeychainStatus, item: KeychainItem
    ) {
        let found = LockedValue(KeychainItem())
        let status = perform(.copyMatching, key) { shared in
            guard let item = shared.items[key] else { return .itemNotFound }
            guard Self.isReadable(item, shared.device) else { return .interactionNotAllowed }
            found.withLock { $0 = item }
            return .success
        }
        return (status, found.withLock { $0 })
    }

    package func update(
        _ key: KeychainItemKey, having generic: [UInt8]?, to item: KeychainItem
    ) -> KeychainStatus {
        perform(.update, key) { shared in
            guard let old = shared.items[key], generic == nil || old.generic == generic else {
                return .itemNotFound
            }
            var new = old
            new.accessible = item.accessible ?? old.accessible
            new.generic = item.generic ?? old.generic
            new.data = item.data ?? old.data
            // It's read with the key of the old class and written with the key of the new one.
            guard Self.isReadable(old, shared.device), Self.isReadable(new, shared.device) else {
                return .interactionNotAllowed
            }
            shared.items[key] = new
            return .success
        }
    }

    /// Deletes an item, also on a locked device, because that needs no key.
    package func delete(_ key: KeychainItemKey, having generic: [UInt8]?) -> KeychainStatus {
        perform(.delete, key) { shared in
            guard let old = shared.items[key], generic == nil || old.generic == generic else {
                return .itemNotFound
            }
            shared.items[key] = nil
            return .success
        }
    }

    private func perform(
        _ call: Call, _ key: KeychainItemKey, _ body: (inout Shared) -> KeychainStatus
    ) -> KeychainStatus {
        let (action, status) = script.withLock { script in
            script.calls[call, default: 0] += 1
            return (Self.takeFirst(&script.actions[call]), Self.takeFirst(&script.statuses[call]))
        }
        // Outside of the lock: the action may use the keychain.
        action?()
        if let status { return status }
        guard accessGroups.contains(key.accessGroup) else { return .missingEntitlement }
        return shared.withLock { body(&$0) }
    }

    private static func takeFirst<Element>(_ elements: inout [Element]?) -> Element? {
        guard elements?.isEmpty == false else { return nil }
        return elements?.removeFirst()
    }

    private static func isReadable(_ item: KeychainItem, _ device: Device) -> Bool {
        switch item.accessible {
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: device != .beforeFirstUnlock
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly, nil:
            device == .unlocked
        }
    }
}
