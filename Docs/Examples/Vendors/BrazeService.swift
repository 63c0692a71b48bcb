import BrazeNotificationService
import PushCryptApple
import UserNotifications

nonisolated class BrazeService: SealedNotificationService {
    override func customizedContent(for notification: OpenedNotification) async throws
        -> UNNotificationContent
    {
        try await notification.content(allowing: [.attachments, .category]) {
            request, content, answer in
            let isHandled = BrazeNotificationService.handle(
                request: request, contentHandler: answer)
            if !isHandled { answer(content) }
        }
    }
}
