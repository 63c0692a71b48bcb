internal import PushCryptCore

/// The device's secrets in the keychain, as one item that the app and its extensions share.
///
/// The item is readable after the first unlock and stays on this device, like the keys of
/// ``KeychainStore``. It survives the deletion of the app, so the app's stores can tell whether
/// they were lost.
public struct KeychainSecretsStore: DeviceSecretsStore {
    private static let accessible = KeychainAccessibility.afterFirstUnlockThisDeviceOnly

    private let keychain: any Keychain
    private let key: KeychainItemKey

    /// The reason for which each call throws, such as an invalid setting.
    package var failure: PushCryptError?

    /// Creates a store for an item of a keychain, without reading it.
    package init(
        _ keychain: any Keychain, accessGroup: String, service: String = "pushcrypt",
        account: String = "device-secrets"
    ) {
        self.keychain = keychain
        key = KeychainItemKey(service: service, account: account, accessGroup: accessGroup)
    }

    /// Returns the secrets; `nil` only if the item doesn't exist.
    ///
    /// - Throws: ``PushCryptError`` with `deviceLocked`, `missingEntitlement` or `keyUnreadable`.
    public func secrets() throws -> DeviceSecrets? {
        if let failure { throw failure }
        let (status, item) = keychain.copyMatching(key)
        // Only this status means that the item doesn't exist.
        if status == .itemNotFound { return nil }
        guard status == .success else { throw status.error(for: key) }
        guard let data = item.data else {
            throw PushCryptError(
                .keyUnreadable,
                "The keychain item \"\(key.account)\" is empty. Delete it, and start the app.")
        }
        return try DeviceSecrets(data)
    }

    /// Adds the item, or returns the secrets of an item that another process has added.
    ///
    /// - Throws: ``PushCryptError`` as ``secrets()`` does.
    public func create(_ secrets: DeviceSecrets) throws -> DeviceSecrets {
        if let failure { throw failure }
        let status = keychain.add(
            key, KeychainItem(accessible: Self.accessible, data: try secrets.bytes()))
        guard status == .success || status == .duplicateItem else { throw status.error(for: key) }
        // Read back, because receipts and stores must have the secrets that the extension reads.
        guard let stored = try self.secrets() else {
            throw PushCryptError(
                .keyUnreadable,
                "The keychain doesn't return what was stored in it. Start the app again later.")
        }
        return stored
    }
}
