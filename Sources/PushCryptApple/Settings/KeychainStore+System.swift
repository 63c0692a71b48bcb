public import PushCryptReceiver

extension KeychainStore {
    /// Creates a store for an item of the group in the Info.plist's `PushCryptKeychainGroup`,
    /// without reading it.
    ///
    /// If it's missing or invalid, each call throws `invalidConfiguration`. Use another `account`
    /// for each of several accounts. By default, the service is the name of the app, so that
    /// several apps can have one keychain group.
    ///
    /// ```swift
    /// let opener = Opener(keys: KeychainStore(), senderPolicy: .infoPlist)
    /// ```
    public init(service: String? = nil, account: String = "device-keyring") {
        self.init(InfoPlist(), service: service, account: account)
    }

    package init(_ infoPlist: InfoPlist, service: String? = nil, account: String = "device-keyring")
    {
        let group = infoPlist.keychainGroup
        self.init(accessGroup: (try? group.get()) ?? "", service: service, account: account)
        if case .failure(let error) = group { failure = error }
    }

    /// Creates a store for an item of a keychain group, which begins with the App ID prefix,
    /// without reading it.
    public init(accessGroup: String, service: String? = nil, account: String = "device-keyring") {
        self.init(
            SystemKeychain(), accessGroup: accessGroup,
            service: service ?? ContainingApp.keychainService,
            account: account)
    }
}

#if canImport(Security)
internal import Foundation
internal import Security

/// The system's keychain: its names and its four calls, without any decisions.
package struct SystemKeychain: Keychain {
    package init() {}

    package func add(_ key: KeychainItemKey, _ item: KeychainItem) -> KeychainStatus {
        Self.withAttributes(of: item) { attributes in
            let attributes = attributes.merging(Self.query(key)) { own, _ in own }
            return KeychainStatus(rawValue: SecItemAdd(attributes as CFDictionary, nil))
        }
    }

    package func copyMatching(_ key: KeychainItemKey) -> (
        status: KeychainStatus, item: KeychainItem
    ) {
        var query = Self.query(key)
        query[kSecReturnData as String] = true
        query[kSecReturnAttributes as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = KeychainStatus(
            rawValue: unsafe SecItemCopyMatching(query as CFDictionary, &result))
        guard status == .success else { return (status, KeychainItem()) }
        guard let attributes = result as? [String: Any] else { return (.parameter, KeychainItem()) }
        do {
            return (status, try Self.item(attributes))
        } catch {
            return (.allocation, KeychainItem())
        }
    }

    package func update(_ key: KeychainItemKey, having generic: [UInt8]?, to item: KeychainItem)
        -> KeychainStatus
    {
        let query = Self.query(key, generic)
        return Self.withAttributes(of: item) { attributes in
            KeychainStatus(
                rawValue: SecItemUpdate(query as CFDictionary, attributes as CFDictionary))
        }
    }

    package func delete(_ key: KeychainItemKey, having generic: [UInt8]?) -> KeychainStatus {
        KeychainStatus(rawValue: SecItemDelete(Self.query(key, generic) as CFDictionary))
    }

    // MARK: The system's names

    private static func query(_ key: KeychainItemKey, _ generic: [UInt8]? = nil) -> [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: key.service,
            kSecAttrAccount as String: key.account,
            kSecAttrAccessGroup as String: key.accessGroup,
            kSecAttrSynchronizable as String: key.isSynchronizable,
            kSecUseDataProtectionKeychain as String: key.usesDataProtection,
        ]
        if let generic { query[kSecAttrGeneric as String] = Data(generic) }
        return query
    }

    private static func constant(_ accessible: KeychainAccessibility) -> String {
        switch accessible {
        case .whenUnlocked: kSecAttrAccessibleWhenUnlocked as String
        case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String
        case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock as String
        case .afterFirstUnlockThisDeviceOnly:
            kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String
        case .whenPasscodeSetThisDeviceOnly:
            kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly as String
        }
    }

    /// Passes an item's attributes to one call, and wipes the copy of the secret afterwards, but
    /// not the system's.
    private static func withAttributes(
        of item: KeychainItem, _ call: ([String: Any]) -> KeychainStatus
    ) -> KeychainStatus {
        var attributes: [String: Any] = [:]
        if let accessible = item.accessible {
            attributes[kSecAttrAccessible as String] = constant(accessible)
        }
        if let generic = item.generic { attributes[kSecAttrGeneric as String] = Data(generic) }
        // A reference type, so that the bytes that are wiped are the ones that were passed.
        let copy = NSMutableData()
        defer { copy.resetBytes(in: NSRange(location: 0, length: copy.length)) }
        if let data = item.data {
            // The length is set once, because a reallocation would leave bytes in memory.
            copy.length = data.count
            let target = unsafe copy.mutableBytes
            data.withSpan { bytes in
                for index in 0..<bytes.count {
                    unsafe target.storeBytes(of: bytes[index], toByteOffset: index, as: UInt8.self)
                }
            }
            attributes[kSecValueData as String] = copy
        }
        return call(attributes)
    }

    /// Returns an item with the secret in guarded memory; the system's own buffer can't be wiped.
    private static func item(_ attributes: [String: Any]) throws(PushCryptError) -> KeychainItem {
        var item = KeychainItem()
        if let accessible = attributes[kSecAttrAccessible as String] as? String {
            item.accessible = KeychainAccessibility.allCases.first { constant($0) == accessible }
        }
        if let generic = attributes[kSecAttrGeneric as String] as? Data {
            item.generic = Array(generic)
        }
        if let data = attributes[kSecValueData as String] as? Data {
            item.data = try SecretBytes(count: data.count) { (bytes) throws(PushCryptError) in
                for (index, byte) in data.enumerated() { bytes[index] = byte }
            }
        }
        return item
    }
}
#else
/// The keychain of systems without one: every call returns `notAvailable`.
package struct SystemKeychain: Keychain {
    package init() {}

    package func add(_: KeychainItemKey, _: KeychainItem) -> KeychainStatus { .notAvailable }

    package func copyMatching(_: KeychainItemKey) -> (status: KeychainStatus, item: KeychainItem) {
        (.notAvailable, KeychainItem())
    }

    package func update(_: KeychainItemKey, having _: [UInt8]?, to _: KeychainItem)
        -> KeychainStatus
    { .notAvailable }

    package func delete(_: KeychainItemKey, having _: [UInt8]?) -> KeychainStatus { .notAvailable }
}
#endif
