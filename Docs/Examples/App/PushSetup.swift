import PushCryptApple
import UserNotifications

/// The settings of your pushes: the Info.plist of each target has the groups and the server's key.
///
/// Change others here, and override `configuration` of NotificationService with this function, too.
nonisolated func pushConfiguration() -> PushConfiguration { .infoPlist }

/// The buttons of your notifications, by the `category` of their payloads.
nonisolated func pushCategories() -> Set<UNNotificationCategory> {
    // Without this option, a person with the locked device can reply.
    let options: UNNotificationActionOptions = [.authenticationRequired]
    let reply = UNTextInputNotificationAction(
        identifier: "REPLY", title: "Reply", options: options, textInputButtonTitle: "Send",
        textInputPlaceholder: "")
    let read = UNNotificationAction(identifier: "READ", title: "Mark as Read", options: options)
    return [
        UNNotificationCategory(
            identifier: "MESSAGE", actions: [reply, read], intentIdentifiers: [])
    ]
}
