/// What a keychain answers: Apple's `OSStatus`.
public struct KeychainStatus: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: Int32

    /// Makes a status from its number.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// It is done (`errSecSuccess`).
    public static let success = Self(rawValue: 0)
    /// A parameter is wrong (`errSecParam`).
    public static let parameter = Self(rawValue: -50)
    /// There is no memory (`errSecAllocate`).
    public static let allocation = Self(rawValue: -108)
    /// The item is of another access group than this process may use (`errSecNoAccessForItem`).
    public static let noAccessForItem = Self(rawValue: -25243)
    /// There is no keychain here (`errSecNotAvailable`).
    public static let notAvailable = Self(rawValue: -25291)
    /// The keychain refuses who asks (`errSecAuthFailed`).
    public static let authFailed = Self(rawValue: -25293)
    /// There is such an item already (`errSecDuplicateItem`).
    public static let duplicateItem = Self(rawValue: -25299)
    /// There is no such item (`errSecItemNotFound`).
    public static let itemNotFound = Self(rawValue: -25300)
    /// The device is locked (`errSecInteractionNotAllowed`).
    public static let interactionNotAllowed = Self(rawValue: -25308)
    /// This target lacks the entitlement for the access group (`errSecMissingEntitlement`).
    public static let missingEntitlement = Self(rawValue: -34018)
}
