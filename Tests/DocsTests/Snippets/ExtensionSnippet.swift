// README.md, "Notification service extension": ReadmeTests compares and runs the lines between the marks.
import PushCryptApple

// begin
nonisolated class NotificationService: SealedNotificationService {
    override var keys: any KeyStore { KeychainStore(accessGroup: "ABCDE12345.com.example.shared") }
    override var senderPolicy: SenderPolicy { .signed(by: "Ey7XEw8fd2xxeea7Jy-6_9qILSz51hjn-QQNzwCR9JE") }
    override var appGroup: String? { "group.com.example.app" }
}
// end
