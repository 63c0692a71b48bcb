public import Foundation

/// Stands in for Apple's protocol of the same name.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    /// Stands in for Apple's method of the same name.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping (UNNotificationPresentationOptions) -> Void)

    /// Stands in for Apple's method of the same name.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void)
}

// Only Objective-C has optional requirements. These defaults do what the system does without the
// methods.
extension UNUserNotificationCenterDelegate {
    /// Shows nothing in the foreground.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([])
    }

    /// Does nothing on a tap.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        completionHandler()
    }
}
