import OneSignalExtension
import PushCryptApple
import UserNotifications

nonisolated class OneSignalService: SealedNotificationService {
    override func customizedContent(for notification: OpenedNotification) async throws
        -> UNNotificationContent
    {
        try await notification.content(allowing: .attachments) { request, content, answer in
            OneSignalExtension.didReceiveNotificationExtensionRequest(
                request, with: content, withContentHandler: answer)
        }
    }
}
