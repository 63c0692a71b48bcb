internal import Foundation
internal import PushCryptReceiver
internal import UserNotifications

extension DeliveredNotification {
    init(_ request: UNNotificationRequest, date: Date? = nil, from carrier: Carrier) {
        self.init(
            content: NotificationContent(request.content), userInfo: request.content.userInfo,
            identifier: request.identifier, date: date, carrier: carrier)
    }

    init(_ notification: UNNotification, from carrier: Carrier) {
        self.init(notification.request, date: notification.date, from: carrier)
    }
}
