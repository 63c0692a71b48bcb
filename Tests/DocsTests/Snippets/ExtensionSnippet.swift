// README.md, "In the notification service extension": compiled here, run by ReadmeTests, and the same there.
import PushCryptApple

// begin
nonisolated class NotificationService: SealedNotificationService {
    override var keys: any KeyStore { KeychainStore(accessGroup: "ABCDE12345.com.example.shared") }
    override var senderPolicy: SenderPolicy { .signed(by: "Ey7XEw8fd2xxeea7Jy-6_9qILSz51hjn-QQNzwCR9JE") }
    override var appGroup: String? { "group.com.example.app" }
}
// end
