public import Foundation
public import UserNotifications

/// Stands in for OneSignal's class of the same name.
///
/// Like the real one, it gives the notification a category if the payload names buttons, and calls
/// the handler on the caller's thread. The real one also reports the delivery, and downloads
/// pictures that the payload names.
///
/// Source: OneSignal-iOS-SDK, `OneSignalExtension.h` and
/// `OneSignalNotificationServiceExtensionHandler.m`.
open class OneSignalExtension: NSObject {
    /// Stands in for OneSignal's method of the same name.
    @discardableResult
    public static func didReceiveNotificationExtensionRequest(
        _ request: UNNotificationRequest, with bestAttemptContent: UNMutableNotificationContent?,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) -> UNMutableNotificationContent? {
        let copy = request.content.mutableCopy() as? UNMutableNotificationContent
        guard let content = bestAttemptContent ?? copy else { return nil }
        if request.content.userInfo["buttons"] != nil { content.categoryIdentifier = "__dynamic__" }
        contentHandler(content)
        return content
    }
}
