internal import PushCryptCore

extension KeychainStatus {
    /// What has gone wrong, and what to do about it.
    ///
    /// - Parameter name: the item that was asked for.
    /// - Returns: the error.
    func trouble(with name: KeychainItemKey) -> PushCryptError {
        switch self {
        case .interactionNotAllowed:
            PushCryptError(
                .deviceLocked,
                """
                The keychain cannot be used now (\(rawValue)), as a rule because the device was not unlocked since it was \
                started. Show the fallback, and try again later. If that happens after the first unlock, the item is of a \
                class for unlocked devices only: start the app once while the device is unlocked, and it is moved.
                """)
        case .missingEntitlement, .noAccessForItem:
            PushCryptError(
                .missingEntitlement,
                """
                This target may not use the access group "\(name.accessGroup)" (\(rawValue)). In Xcode, add the capability \
                Keychain Sharing with this group to the app's target and to the extension's. The code names the group with \
                the team's id in front, as in ABCDE12345.com.example.shared.
                """)
        case .notAvailable:
            PushCryptError(.keyUnreadable, "There is no keychain here (\(rawValue)). Apple's platforms have one.")
        case .authFailed:
            PushCryptError(
                .keyUnreadable,
                "The keychain refuses this app (\(rawValue)). Check with which team and profile the target is signed.")
        default:
            PushCryptError(
                .keyUnreadable, "The keychain has failed with the OSStatus \(rawValue). Try again later.")
        }
    }
}
