public import Foundation

/// Stands in for Apple's class of the same name; only the system creates its objects.
open class UNNotificationResponse: NSObject {
    /// Stands in for Apple's property of the same name.
    public let notification: UNNotification
    /// Stands in for Apple's property of the same name.
    public let actionIdentifier: String

    /// Not Apple's: creates the object that the system would pass, for tests.
    package init(notification: UNNotification, actionIdentifier: String) {
        self.notification = notification
        self.actionIdentifier = actionIdentifier
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Stands in for Apple's constant of the same name.
public let UNNotificationDefaultActionIdentifier: String =
    "com.apple.UNNotificationDefaultActionIdentifier"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Stands in for Apple's constant of the same name.
public let UNNotificationDismissActionIdentifier: String =
    "com.apple.UNNotificationDismissActionIdentifier"
