internal import Foundation
internal import PushCryptCore
internal import PushCryptReceiver
internal import UserNotifications

/// The system's content as the inbox handles it.
struct AppleContent: SystemContent {
    private let wrapped: UncheckedSendable<UNNotificationContent>

    /// Wraps content that nothing changes any more.
    init(_ content: UNNotificationContent) { wrapped = UncheckedSendable(value: content) }

    /// The system's content.
    var value: UNNotificationContent { wrapped.value }

    var text: NotificationContent {
        var text = NotificationContent(
            title: value.title, subtitle: value.subtitle, body: value.body)
        text.categoryIdentifier = value.categoryIdentifier
        text.badge = value.badge?.intValue
        return text
    }

    func source(from carrier: Carrier) -> ReceiptSource? {
        try? ReceiptSource(userInfo: value.userInfo, from: carrier)
    }

    func finished(badge: Int?, receipt: String?) -> any SystemContent {
        let finished = value.changeableCopy
        if let badge { finished.badge = NSNumber(value: badge) }
        finished.userInfo[Envelope.receiptKey] = receipt
        return AppleContent(finished)
    }

    var silent: any SystemContent {
        let silent = value.changeableCopy
        silent.sound = nil
        silent.badge = nil
        silent.interruptionLevel = .passive
        // The system has moved the files. Whether it accepts them again is unknown, and it ignores
        // invalid content.
        silent.attachments = []
        return AppleContent(silent)
    }
}

extension UNNotificationContent {
    /// A copy for the app's customization, or for this module's own changes.
    var changeableCopy: UNMutableNotificationContent {
        mutableCopy() as? UNMutableNotificationContent ?? UNMutableNotificationContent()
    }

    /// A copy that stays as it is, although the app's customization may go on changing its own
    /// object.
    var unchangingCopy: UNNotificationContent { copy() as? UNNotificationContent ?? self }
}
