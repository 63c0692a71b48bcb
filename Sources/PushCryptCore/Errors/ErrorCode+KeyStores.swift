/// Codes of the device's keys, when a message needs one.
extension PushCryptError.Code {
    /// No key on this device has the ID that the message names.
    public static let unknownKey = Self(rawValue: "unknown-key")

    /// The message is sealed to a key of an account that the app has removed.
    public static let removedAccount = Self(rawValue: "removed-account")

    /// The keys can't be read now, for example because of a missing permission.
    public static let keyUnreadable = Self(rawValue: "key-unreadable")

    /// The keys can't be read before the first unlock after a restart.
    public static let deviceLocked = Self(rawValue: "device-locked")

    /// This target doesn't have the entitlement for the keychain access group.
    public static let missingEntitlement = Self(rawValue: "missing-entitlement")
}
