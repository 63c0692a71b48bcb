public import PushCryptReceiver
public import UserNotifications

extension DeliveredNotification {
    package init(_ notification: UNNotification, from carrier: Carrier) {
        let content = notification.request.content
        self.init(
            content: NotificationContent(content), userInfo: content.userInfo,
            identifier: notification.request.identifier, date: notification.date, carrier: carrier)
    }
}

extension NotificationOpener {
    /// Opens notifications again that the system displays with the fallback.
    ///
    /// Such notifications came before the first unlock of the device, or opening them took too long. Pass the result of
    /// `getDeliveredNotifications`, and add the returned requests: each one replaces the notification with its
    /// identifier.
    ///
    /// ```swift
    /// UNUserNotificationCenter.current().getDeliveredNotifications { delivered in
    ///     for request in notificationOpener.reopened(delivered) {
    ///         UNUserNotificationCenter.current().add(request)
    ///     }
    /// }
    /// ```
    ///
    /// The requests have no sound, no badge and the lowest interruption level, because the user was alerted before.
    /// Their notifications have a new date, so a message with a short lifetime may be `expired` when the user taps one.
    /// Notifications that were withdrawn are removed.
    ///
    /// - Returns: Requests for those that can be opened now.
    public func reopened(_ notifications: [UNNotification]) -> [UNNotificationRequest] {
        let displayed = notifications.map { DeliveredNotification($0, from: opener.carrier) }
        let results = reopen(all: displayed, SystemNotifications())
        return notifications.indices.compactMap { index in
            let notification = notifications[index]
            guard let result = results[index] else { return nil }
            let platform = SystemPlatform(
                delivered: notification.request.content, from: opener.carrier, customizedContent: nil,
                customization: nil, downloader: nil)
            return UNNotificationRequest(
                identifier: notification.request.identifier,
                content: silentContent(result, for: displayed[index], on: platform).value, trigger: nil)
        }
    }
}

extension DeliveryLog {
    /// Records the notifications that the app finds displayed, if the extension hasn't seen them.
    ///
    /// Local notifications are ignored, including those from `reopened(_:)`: no extension sees them.
    ///
    /// - Parameters:
    ///   - notifications: The result of `getDeliveredNotifications`, or the notification that the user has tapped.
    ///   - carrier: The service that delivers the app's pushes; by default the Info.plist's `PushCryptCarrier`.
    /// - Throws: ``PushCryptError`` if the log can't be used.
    public func recordDelivered(
        _ notifications: [UNNotification], carrier: Carrier = .infoPlist
    ) throws(PushCryptError) {
        for notification in notifications where notification.request.trigger is UNPushNotificationTrigger {
            try recordDelivered(DeliveredNotification(notification, from: carrier), at: notification.date)
        }
    }
}
