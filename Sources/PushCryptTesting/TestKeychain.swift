internal import PushCryptCore
public import PushCryptReceiver

/// A keychain in memory that behaves as the system's does: with names, classes of protection and access groups.
///
/// Several stores may share it, as an app and its extension do, and several threads may use it at once. ``sharing(accessGroups:)``
/// is the same keychain as another target sees it.
public final class TestKeychain: Keychain {
    /// What has happened to the device.
    public enum Device: Sendable {
        /// It was started and not unlocked since.
        case beforeFirstUnlock
        /// It was unlocked, and is locked.
        case locked
        /// It is unlocked.
        case unlocked
    }

    /// A call of a keychain.
    public enum Call: Hashable, Sendable {
        /// ``TestKeychain/add(_:_:)``.
        case add
        /// ``TestKeychain/copyMatching(_:)``.
        case copyMatching
        /// ``TestKeychain/update(_:having:to:)``.
        case update
        /// ``TestKeychain/delete(_:having:)``.
        case delete
    }

    /// What all targets see.
    private struct Shared: Sendable {
        var items: [KeychainItemKey: KeychainItem] = [:]
        var device: Device
    }

    /// What a test has said of the next calls of one target.
    private struct Script: Sendable {
        var calls: [Call: Int] = [:]
        var statuses: [Call: [KeychainStatus]] = [:]
        var actions: [Call: [@Sendable () -> Void]] = [:]
    }

    private let accessGroups: Set<String>
    private let shared: LockedValue<Shared>
    private let script = LockedValue(Script())

    /// Makes a keychain with nothing in it.
    ///
    /// - Parameters:
    ///   - accessGroups: the groups that the target has the entitlement for.
    ///   - device: what has happened to the device.
    public init(accessGroups: Set<String>, device: Device = .unlocked) {
        self.accessGroups = accessGroups
        shared = LockedValue(Shared(device: device))
    }

    private init(accessGroups: Set<String>, shared: LockedValue<Shared>) {
        self.accessGroups = accessGroups
        self.shared = shared
    }

    /// The same keychain as another target sees it, with counts, failures and actions of its own.
    ///
    /// - Parameter accessGroups: the groups that this target has the entitlement for.
    /// - Returns: the keychain.
    public func sharing(accessGroups: Set<String>) -> TestKeychain {
        TestKeychain(accessGroups: accessGroups, shared: shared)
    }

    // MARK: What a test says

    /// Locks or unlocks the device, or starts it anew.
    ///
    /// - Parameter device: what has happened to it.
    public func become(_ device: Device) {
        shared.withLock { $0.device = device }
    }

    /// Has the next call of a kind do nothing and return a status.
    ///
    /// - Parameters:
    ///   - call: which call.
    ///   - status: what it returns.
    public func failNext(_ call: Call, with status: KeychainStatus) {
        script.withLock { $0.statuses[call, default: []].append(status) }
    }

    /// Runs something before the next call of a kind, once: what another process does in the middle of a change.
    ///
    /// - Parameters:
    ///   - call: which call; each action takes one.
    ///   - action: what to run; it may use the keychain.
    public func beforeNext(_ call: Call, _ action: @escaping @Sendable () -> Void) {
        script.withLock { $0.actions[call, default: []].append(action) }
    }

    /// How many calls of a kind there were, with those that have failed.
    ///
    /// - Parameter call: which calls.
    /// - Returns: their number.
    public func count(of call: Call) -> Int {
        script.withLock { $0.calls[call] ?? 0 }
    }

    /// What is in the keychain, whatever has happened to the device.
    public var items: [KeychainItemKey: KeychainItem] { shared.withLock { $0.items } }

    /// Puts an item into the keychain or takes it out, whatever has happened to the device.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - contents: what is in it; `nil` takes it out.
    public func put(_ name: KeychainItemKey, _ contents: KeychainItem?) {
        shared.withLock { $0.items[name] = contents }
    }

    // MARK: Keychain

    /// Adds an item.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - contents: what is in it; `whenUnlocked` where that does not say when it can be read.
    /// - Returns: the status.
    public func add(_ name: KeychainItemKey, _ contents: KeychainItem) -> KeychainStatus {
        perform(.add, name) { shared in
            guard shared.items[name] == nil else { return .duplicateItem }
            var contents = contents
            contents.accessible = contents.accessible ?? .whenUnlocked
            guard Self.isReadable(contents, shared.device) else { return .interactionNotAllowed }
            shared.items[name] = contents
            return .success
        }
    }

    /// Reads an item.
    ///
    /// - Parameter name: its name.
    /// - Returns: the status, and what is in the item.
    public func copyMatching(_ name: KeychainItemKey) -> (status: KeychainStatus, contents: KeychainItem) {
        let found = LockedValue(KeychainItem())
        let status = perform(.copyMatching, name) { shared in
            guard let contents = shared.items[name] else { return .itemNotFound }
            guard Self.isReadable(contents, shared.device) else { return .interactionNotAllowed }
            found.withLock { $0 = contents }
            return .success
        }
        return (status, found.withLock { $0 })
    }

    /// Changes an item.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - generic: what its bytes `generic` must be; `nil` for whatever.
    ///   - contents: what is to be changed in it.
    /// - Returns: the status.
    public func update(
        _ name: KeychainItemKey, having generic: [UInt8]?, to contents: KeychainItem
    ) -> KeychainStatus {
        perform(.update, name) { shared in
            guard let old = shared.items[name], generic == nil || old.generic == generic else { return .itemNotFound }
            var new = old
            new.accessible = contents.accessible ?? old.accessible
            new.generic = contents.generic ?? old.generic
            new.data = contents.data ?? old.data
            // It is read with the key of the old class and written with that of the new one.
            guard Self.isReadable(old, shared.device), Self.isReadable(new, shared.device) else {
                return .interactionNotAllowed
            }
            shared.items[name] = new
            return .success
        }
    }

    /// Deletes an item; that needs no key, so it works on a locked device.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - generic: what its bytes `generic` must be; `nil` for whatever.
    /// - Returns: the status.
    public func delete(_ name: KeychainItemKey, having generic: [UInt8]?) -> KeychainStatus {
        perform(.delete, name) { shared in
            guard let old = shared.items[name], generic == nil || old.generic == generic else { return .itemNotFound }
            shared.items[name] = nil
            return .success
        }
    }

    private func perform(
        _ call: Call, _ name: KeychainItemKey, _ body: (inout Shared) -> KeychainStatus
    ) -> KeychainStatus {
        let (action, status) = script.withLock { script in
            script.calls[call, default: 0] += 1
            return (Self.takeFirst(&script.actions[call]), Self.takeFirst(&script.statuses[call]))
        }
        // Not under the lock: it may use the keychain.
        action?()
        if let status { return status }
        guard accessGroups.contains(name.accessGroup) else { return .missingEntitlement }
        return shared.withLock { body(&$0) }
    }

    private static func takeFirst<Element>(_ elements: inout [Element]?) -> Element? {
        guard elements?.isEmpty == false else { return nil }
        return elements?.removeFirst()
    }

    private static func isReadable(_ contents: KeychainItem, _ device: Device) -> Bool {
        switch contents.accessible {
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: device != .beforeFirstUnlock
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly, nil: device == .unlocked
        }
    }
}
