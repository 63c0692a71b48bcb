public import UserNotifications

/// Stands in for Braze's type of the same name.
///
/// Like the real one, it handles the pushes of Braze only, which have the member `ab`. For others
/// it returns `false` and doesn't call the handler.
///
/// Source: braze-swift-sdk, `BrazeNotificationService`.
public enum BrazeNotificationService {
    /// Stands in for Braze's method of the same name.
    public static func handle(
        request: UNNotificationRequest, contentHandler: @escaping (UNNotificationContent) -> Void
    ) -> Bool {
        guard request.content.userInfo["ab"] != nil else { return false }
        contentHandler(request.content)
        return true
    }
}
