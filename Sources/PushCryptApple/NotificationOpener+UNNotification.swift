public import PushCryptReceiver
public import UserNotifications

extension DeliveredNotification {
    /// Takes a notification that the system shows, or has just handed to the app.
    ///
    /// - Parameter notification: the notification.
    public init(_ notification: UNNotification) {
        let content = notification.request.content
        self.init(content: NotificationContent(content), userInfo: content.userInfo)
    }
}

extension NotificationOpener {
    /// Opens once more what the system shows as the fallback: notifications that came before the device was unlocked for
    /// the first time, or that ran out of time.
    ///
    /// Nobody can change a notification that is shown; a request with the same identifier takes its place. So hand what
    /// `getDeliveredNotifications` has found to this, and what this returns to `add(_:)`: without a sound and a badge, and
    /// at the lowest interruption level, because the user was alerted when the notification came.
    ///
    /// Source: Apple, `UNUserNotificationCenter` and `UNNotificationRequest.identifier`.
    ///
    /// - Parameter notifications: the notifications that the system shows for the app.
    /// - Returns: requests for those that open now; the others stay as they are.
    public func reopened(_ notifications: [UNNotification]) -> [UNNotificationRequest] {
        notifications.compactMap { notification in
            guard let presented = reopen(DeliveredNotification(notification)) else { return nil }
            let content = presented.content.mutableSystemContent(replacing: notification.request.content)
            content.sound = nil
            // A number from when it was sent; the app knows a newer one.
            content.badge = nil
            content.interruptionLevel = .passive
            return UNNotificationRequest(
                identifier: notification.request.identifier, content: content, trigger: nil)
        }
    }
}

extension DeliveryLog {
    /// Notes the notifications that the app finds delivered, and for each whether the extension has seen it.
    ///
    /// Pushes alone: what the app itself has shown, also in the place of a push, was no extension's.
    ///
    /// - Parameter notifications: what `getDeliveredNotifications` has found, or the one that was tapped.
    /// - Throws: ``PushCryptError`` where the log cannot be used.
    public func note(_ notifications: [UNNotification]) throws(PushCryptError) {
        // What `reopened` has replaced is dated anew, and may have left the log since it came.
        for notification in notifications where notification.request.trigger is UNPushNotificationTrigger {
            try note(DeliveredNotification(notification), deliveredAt: notification.date)
        }
    }
}
