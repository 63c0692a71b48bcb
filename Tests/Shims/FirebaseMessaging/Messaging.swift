public import Foundation
public import UserNotifications

/// Stands in for Firebase's class of the same name.
///
/// The real one downloads the picture that the payload's `fcm_options.image` names. Without one, it
/// calls the handler at once, like this one.
///
/// Source: firebase-ios-sdk, `FIRMessagingExtensionHelper.h`.
open class MessagingExtensionHelper: NSObject {
    /// Stands in for Firebase's method of the same name.
    public func populateNotificationContent(
        _ content: UNMutableNotificationContent,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        contentHandler(content)
    }
}

/// Stands in for Firebase's class of the same name.
open class Messaging: NSObject {
    /// Stands in for Firebase's method of the same name.
    public static func serviceExtension() -> MessagingExtensionHelper { MessagingExtensionHelper() }
}
