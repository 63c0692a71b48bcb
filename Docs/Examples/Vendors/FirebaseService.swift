import FirebaseMessaging
import PushCryptApple
import UserNotifications

nonisolated class FirebaseService: SealedNotificationService {
    override func customizedContent(for notification: OpenedNotification) async throws
        -> UNNotificationContent
    {
        try await notification.content(allowing: .attachments) { _, content, answer in
            Messaging.serviceExtension().populateNotificationContent(
                content, withContentHandler: answer)
        }
    }
}
