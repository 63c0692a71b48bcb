public import Foundation

/// Stands in for Apple's class of the same name.
open class UNNotificationRequest: NSObject {
    /// Stands in for Apple's property of the same name.
    public let identifier: String
    /// Stands in for Apple's property of the same name.
    public let content: UNNotificationContent
    /// Stands in for Apple's property of the same name.
    public let trigger: UNNotificationTrigger?

    /// Unavailable, as in Apple's header.
    @available(*, unavailable)
    public override init() {
        identifier = ""
        content = UNNotificationContent()
        trigger = nil
    }

    private init(
        _ identifier: String, _ content: UNNotificationContent, _ trigger: UNNotificationTrigger?
    ) {
        self.identifier = identifier
        self.content = content
        self.trigger = trigger
    }

    /// Creates a request.
    public convenience init(
        identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?
    ) {
        self.init(identifier, content, trigger)
    }
}
