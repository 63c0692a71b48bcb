public import Foundation
public import UserNotifications

/// Stands in for Apple's protocol of the same name.
public protocol UNNotificationContentExtension: NSObjectProtocol {
    /// Stands in for Apple's method of the same name.
    func didReceive(_ notification: UNNotification)

    /// Stands in for Apple's method of the same name.
    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion:
            @escaping (UNNotificationContentExtensionResponseOption) -> Void)
}

// Only Objective-C has optional requirements. This default does what the system does without the
// method.
extension UNNotificationContentExtension {
    /// Leaves the action to the app.
    public func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion:
            @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        completion(.dismissAndForwardAction)
    }
}
