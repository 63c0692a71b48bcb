package import PushCryptCore

/// The four keychain calls for generic passwords, each atomic among all processes.
package protocol Keychain: Sendable {
    /// Adds an item (`SecItemAdd`); returns `duplicateItem` if it exists.
    func add(_ key: KeychainItemKey, _ item: KeychainItem) -> KeychainStatus

    /// Reads an item with all its attributes (`SecItemCopyMatching`).
    func copyMatching(_ key: KeychainItemKey) -> (status: KeychainStatus, item: KeychainItem)

    /// Updates an item (`SecItemUpdate`); returns `itemNotFound` if no item has this key and,
    /// unless `nil`, these `generic` bytes.
    func update(_ key: KeychainItemKey, having generic: [UInt8]?, to item: KeychainItem)
        -> KeychainStatus

    /// Deletes an item (`SecItemDelete`); returns `itemNotFound` if no item has this key and,
    /// unless `nil`, these `generic` bytes.
    func delete(_ key: KeychainItemKey, having generic: [UInt8]?) -> KeychainStatus
}

/// The primary key of a generic password, whose parts every call states.
package struct KeychainItemKey: Hashable, Sendable {
    /// `kSecAttrService`.
    package let service: String
    /// `kSecAttrAccount`.
    package let account: String
    /// `kSecAttrAccessGroup`, with the App ID prefix in front.
    package let accessGroup: String
    /// `kSecAttrSynchronizable`: a Boolean value that indicates whether the item syncs to the
    /// user's other devices.
    package let isSynchronizable = false
    /// `kSecUseDataProtectionKeychain`: `false` selects the old file-based keychain of macOS.
    package let usesDataProtection = true
}

/// The values of `kSecAttrAccessible`.
package enum KeychainAccessibility: Hashable, Sendable, CaseIterable {
    case whenUnlocked
    case whenUnlockedThisDeviceOnly
    case afterFirstUnlock
    case afterFirstUnlockThisDeviceOnly
    case whenPasscodeSetThisDeviceOnly
}

/// The contents of an item, or the changes to it: `nil` leaves a value as it is.
package struct KeychainItem: Sendable {
    /// `kSecAttrAccessible`; also `nil` if the system returned a value that isn't listed in
    /// `KeychainAccessibility`.
    package var accessible: KeychainAccessibility?
    /// `kSecAttrGeneric`, bytes that aren't secret.
    package var generic: [UInt8]?
    /// `kSecValueData`, the secret.
    package var data: SecretBytes?

    package init(
        accessible: KeychainAccessibility? = nil, generic: [UInt8]? = nil, data: SecretBytes? = nil
    ) {
        self.accessible = accessible
        self.generic = generic
        self.data = data
    }
}

/// An `OSStatus` of the keychain.
package struct KeychainStatus: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    // The names of the system's constants are `errSec…`, except for `errSecParam` and
    // `errSecAllocate`.
    package static let success = Self(rawValue: 0)
    package static let parameter = Self(rawValue: -50)
    package static let allocation = Self(rawValue: -108)
    package static let noAccessForItem = Self(rawValue: -25243)
    package static let notAvailable = Self(rawValue: -25291)
    package static let authFailed = Self(rawValue: -25293)
    package static let duplicateItem = Self(rawValue: -25299)
    package static let itemNotFound = Self(rawValue: -25300)
    package static let interactionNotAllowed = Self(rawValue: -25308)
    package static let missingEntitlement = Self(rawValue: -34018)
}

extension KeychainStatus {
    /// Returns the error for a failed call on an item.
    func error(for key: KeychainItemKey) -> PushCryptError {
        switch self {
        case .interactionNotAllowed:
            PushCryptError(
                .deviceLocked,
                """
                The keychain can't be used now (\(rawValue)). The usual reason is that the user \
                hasn't unlocked the device since it started. Show the fallback and try again \
                later. If it also happens after the first unlock, open the app once while the \
                device is unlocked.
                """)
        case .missingEntitlement, .noAccessForItem:
            PushCryptError(
                .missingEntitlement,
                """
                This target can't use the access group "\(key.accessGroup)" (\(rawValue)). In \
                Xcode, add the Keychain Sharing capability with this group to the app's target and \
                to the extension's. The group starts with the App ID prefix, as in \
                ABCDE12345.com.example.shared.
                """)
        case .notAvailable:
            PushCryptError(
                .keyUnreadable,
                "This system doesn't have a keychain (\(rawValue)). Use a keyring file here.")
        case .authFailed:
            PushCryptError(
                .keyUnreadable,
                """
                The keychain rejects this app (\(rawValue)). Check the team and the profile that \
                sign the target.
                """)
        default:
            PushCryptError(
                .keyUnreadable,
                "The keychain failed with the OSStatus \(rawValue). Try again later.")
        }
    }
}
