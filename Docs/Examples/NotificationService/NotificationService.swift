import PushCryptApple

// The app group, the keychain group and the server's key come from the Info.plist.
nonisolated class NotificationService: SealedNotificationService {}
