public import Foundation

/// Stands in for Apple's class of the same name.
open class UNNotificationRequest: NSObject {
    /// Stands in for Apple's property of the same name.
    open private(set) var identifier: String
    /// Stands in for Apple's property of the same name.
    open private(set) var content: UNNotificationContent
    /// Stands in for Apple's property of the same name.
    open private(set) var trigger: UNNotificationTrigger?

    /// Nobody may make an empty request, as Apple's header says.
    @available(*, unavailable)
    public override init() {
        identifier = ""
        content = UNNotificationContent()
    }

    private init(_ identifier: String, _ content: UNNotificationContent, _ trigger: UNNotificationTrigger?) {
        self.identifier = identifier
        self.content = content
        self.trigger = trigger
    }

    /// Makes a request.
    public convenience init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.init(identifier, content, trigger)
    }
}
