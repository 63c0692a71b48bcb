import PushCryptApple

// The app reads the original again from what stays sealed, and so can be sure who has written it (Docs/Reading.md).
nonisolated class NotificationService: SealedNotificationService {
    override var keys: any KeyStore { PushSetup().keys }
    override var senderPolicy: SenderPolicy { PushSetup().senderPolicy }
    override var appGroup: String? { PushSetup.appGroup }
    override var fallback: FallbackText { PushSetup().fallback }
    override var keepsUserInfoSealed: Bool { true }
}
