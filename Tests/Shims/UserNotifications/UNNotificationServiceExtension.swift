public import Foundation

/// Stands in for Apple's class of the same name.
@available(iOS 10, macOS 10.14, watchOS 6, *)
open class UNNotificationServiceExtension: NSObject {
    /// Stands in for Apple's method of the same name, which hands the request back as it is.
    open func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        contentHandler(request.content)
    }

    /// Stands in for Apple's method of the same name.
    open func serviceExtensionTimeWillExpire() {}
}
