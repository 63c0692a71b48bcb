public import Foundation

/// Stands in for Apple's class of the same name.
open class UNNotificationTrigger: NSObject {}

/// Stands in for Apple's class of the same name.
open class UNNotificationRequest: NSObject {
    /// Stands in for Apple's property of the same name.
    open private(set) var identifier = ""
    /// Stands in for Apple's property of the same name.
    open private(set) var content = UNNotificationContent()
    /// Stands in for Apple's property of the same name.
    open private(set) var trigger: UNNotificationTrigger?

    private override init() {}

    /// Makes a request.
    public convenience init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.init()
        self.identifier = identifier
        self.content = content
        self.trigger = trigger
    }
}

/// Stands in for Apple's class of the same name.
open class UNNotificationServiceExtension: NSObject {
    /// Stands in for Apple's method of the same name, which hands the request back as it is.
    open func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        contentHandler(request.content)
    }

    /// Stands in for Apple's method of the same name.
    open func serviceExtensionTimeWillExpire() {}
}
