public import PushCryptReceiver

#if canImport(Security)
internal import Foundation
internal import Security

/// The system's keychain.
///
/// Whatever can be decided elsewhere is: here are the names that the system has for things, and its four calls.
public struct SystemKeychain: Keychain {
    /// Takes the system's keychain.
    public init() {}

    // MARK: Keychain

    /// Adds an item.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - contents: what is in it.
    /// - Returns: the status.
    public func add(_ name: KeychainItemKey, _ contents: KeychainItem) -> KeychainStatus {
        Self.lend(contents) { item in
            let item = item.merging(Self.query(name)) { own, _ in own }
            return KeychainStatus(rawValue: SecItemAdd(item as CFDictionary, nil))
        }
    }

    /// Reads an item.
    ///
    /// - Parameter name: its name.
    /// - Returns: the status, and what is in the item.
    public func copyMatching(_ name: KeychainItemKey) -> (status: KeychainStatus, contents: KeychainItem) {
        var query = Self.query(name)
        query[kSecReturnData as String] = true
        query[kSecReturnAttributes as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = KeychainStatus(rawValue: unsafe SecItemCopyMatching(query as CFDictionary, &result))
        guard status == .success else { return (status, KeychainItem()) }
        guard let item = result as? [String: Any] else { return (.parameter, KeychainItem()) }
        do {
            return (status, try Self.contents(item))
        } catch {
            return (.allocation, KeychainItem())
        }
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
        let query = Self.query(name, generic)
        return Self.lend(contents) { changes in
            KeychainStatus(rawValue: SecItemUpdate(query as CFDictionary, changes as CFDictionary))
        }
    }

    /// Deletes an item.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - generic: what its bytes `generic` must be; `nil` for whatever.
    /// - Returns: the status.
    public func delete(_ name: KeychainItemKey, having generic: [UInt8]?) -> KeychainStatus {
        KeychainStatus(rawValue: SecItemDelete(Self.query(name, generic) as CFDictionary))
    }

    // MARK: The system's names

    private static func query(_ name: KeychainItemKey, _ generic: [UInt8]? = nil) -> [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: name.service,
            kSecAttrAccount as String: name.account,
            kSecAttrAccessGroup as String: name.accessGroup,
            kSecAttrSynchronizable as String: name.isSynchronizable,
            kSecUseDataProtectionKeychain as String: name.usesDataProtection,
        ]
        if let generic { query[kSecAttrGeneric as String] = Data(generic) }
        return query
    }

    private static func constant(_ accessible: KeychainAccessibility) -> String {
        switch accessible {
        case .whenUnlocked: kSecAttrAccessibleWhenUnlocked as String
        case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String
        case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock as String
        case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String
        case .whenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly as String
        }
    }

    /// Lends contents to the system for one call, and wipes the copy of the secret that this takes.
    ///
    /// What the system copies of it on its own way to the keychain is not ours to wipe.
    private static func lend(
        _ contents: KeychainItem, _ call: ([String: Any]) -> KeychainStatus
    ) -> KeychainStatus {
        var item: [String: Any] = [:]
        if let accessible = contents.accessible { item[kSecAttrAccessible as String] = constant(accessible) }
        if let generic = contents.generic { item[kSecAttrGeneric as String] = Data(generic) }
        // An object, so that it is these bytes that are wiped, whoever else refers to them.
        let copy = NSMutableData()
        defer { copy.resetBytes(in: NSRange(location: 0, length: copy.length)) }
        if let data = contents.data {
            // Its length is set once, so that it does not move and leave bytes behind.
            copy.length = data.count
            let target = unsafe copy.mutableBytes
            data.read { bytes in
                for index in 0..<bytes.count {
                    unsafe target.storeBytes(of: bytes[index], toByteOffset: index, as: UInt8.self)
                }
            }
            item[kSecValueData as String] = copy
        }
        return call(item)
    }

    /// Takes what the system has returned.
    ///
    /// The secret goes from the system's buffer into guarded memory at once. That buffer is the system's own, immutable and
    /// perhaps shared, and nothing can wipe it; it is gone when the call has returned.
    private static func contents(_ item: [String: Any]) throws(PushCryptError) -> KeychainItem {
        var contents = KeychainItem()
        if let accessible = item[kSecAttrAccessible as String] as? String {
            contents.accessible = KeychainAccessibility.allCases.first { constant($0) == accessible }
        }
        if let generic = item[kSecAttrGeneric as String] as? Data { contents.generic = Array(generic) }
        if let data = item[kSecValueData as String] as? Data {
            contents.data = try SecretBytes(count: data.count) { (bytes) throws(PushCryptError) in
                for (index, byte) in data.enumerated() { bytes[index] = byte }
            }
        }
        return contents
    }
}
#else
/// The system's keychain, where the system has none: every call says so.
public struct SystemKeychain: Keychain {
    /// Takes the system's keychain.
    public init() {}

    /// Says that there is no keychain.
    public func add(_: KeychainItemKey, _: KeychainItem) -> KeychainStatus { .notAvailable }

    /// Says that there is no keychain.
    public func copyMatching(_: KeychainItemKey) -> (status: KeychainStatus, contents: KeychainItem) {
        (.notAvailable, KeychainItem())
    }

    /// Says that there is no keychain.
    public func update(_: KeychainItemKey, having _: [UInt8]?, to _: KeychainItem) -> KeychainStatus { .notAvailable }

    /// Says that there is no keychain.
    public func delete(_: KeychainItemKey, having _: [UInt8]?) -> KeychainStatus { .notAvailable }
}
#endif
