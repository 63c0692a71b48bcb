import PushCryptApple

// The app group, the keychain group and the server's key come from the Info.plist.
nonisolated class NotificationService: SealedNotificationService {
    // The app opens userInfo again, and knows the author.
    override var keepsUserInfoSealed: Bool { true }
}
