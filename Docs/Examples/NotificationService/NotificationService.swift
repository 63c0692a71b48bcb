import PushCryptApple

// userInfo stays sealed, so that the app opens it again and knows the author (Docs/Reading.md).
nonisolated class NotificationService: SealedNotificationService {
    override var keys: any KeyStore { PushSetup().keys }
    override var senderPolicy: SenderPolicy { PushSetup().senderPolicy }
    override var appGroup: String? { PushSetup.appGroup }
    override var fallback: FallbackText { PushSetup().fallback }
    override var keepsUserInfoSealed: Bool { true }
    override var attachmentDownloader: (any AttachmentDownloader)? { PushSetup().downloader }
}
