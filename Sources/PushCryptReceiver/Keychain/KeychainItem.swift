public import PushCryptCore

/// What tells one generic password in a keychain from every other: its primary key.
///
/// Everything is said in every call. A keychain has defaults of its own for what is left out, and they differ from one target
/// to another.
public struct KeychainItemKey: Hashable, Sendable {
    /// What the password is for (`kSecAttrService`).
    public let service: String
    /// Whose it is (`kSecAttrAccount`).
    public let account: String
    /// Who may use it, with the team's id in front (`kSecAttrAccessGroup`).
    public let accessGroup: String
    /// Whether it goes to the user's other devices (`kSecAttrSynchronizable`).
    public let isSynchronizable: Bool
    /// Whether it is in the keychain that has access groups and classes of protection, which is the only one but on macOS
    /// (`kSecUseDataProtectionKeychain`).
    public let usesDataProtection: Bool

    /// Names an item.
    ///
    /// - Parameters:
    ///   - service: what the password is for.
    ///   - account: whose it is.
    ///   - accessGroup: who may use it.
    ///   - isSynchronizable: whether it goes to the user's other devices.
    ///   - usesDataProtection: whether it is in the keychain that has access groups and classes of protection.
    public init(
        service: String, account: String, accessGroup: String, isSynchronizable: Bool = false,
        usesDataProtection: Bool = true
    ) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
        self.isSynchronizable = isSynchronizable
        self.usesDataProtection = usesDataProtection
    }
}

/// When an item can be read, and whether it goes to another device with a backup (`kSecAttrAccessible`).
public enum KeychainAccessibility: Hashable, Sendable, CaseIterable {
    /// While the device is unlocked; goes along.
    case whenUnlocked
    /// While the device is unlocked.
    case whenUnlockedThisDeviceOnly
    /// Once the device was unlocked since it was started; goes along.
    case afterFirstUnlock
    /// Once the device was unlocked since it was started.
    case afterFirstUnlockThisDeviceOnly
    /// While the device is unlocked, and as long as it has a passcode.
    case whenPasscodeSetThisDeviceOnly
}

/// What is in an item, or what is to be changed in it.
public struct KeychainItem: Sendable {
    /// When it can be read; `nil` where that is to stay as it is, or is none of those that are known here.
    public var accessible: KeychainAccessibility?
    /// Any bytes (`kSecAttrGeneric`); `nil` where they are to stay as they are, or there are none.
    public var generic: [UInt8]?
    /// The secret (`kSecValueData`); `nil` where it is to stay as it is, or there is none.
    public var data: SecretBytes?

    /// Puts contents together.
    ///
    /// - Parameters:
    ///   - accessible: when they can be read.
    ///   - generic: any bytes that are no secret.
    ///   - data: the secret.
    public init(accessible: KeychainAccessibility? = nil, generic: [UInt8]? = nil, data: SecretBytes? = nil) {
        self.accessible = accessible
        self.generic = generic
        self.data = data
    }
}
