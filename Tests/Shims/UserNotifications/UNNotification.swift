public import Foundation

/// Stands in for Apple's class of the same name; only the system creates its objects.
open class UNNotification: NSObject {
    /// Stands in for Apple's property of the same name.
    public let date: Date
    /// Stands in for Apple's property of the same name.
    public let request: UNNotificationRequest

    /// Not Apple's: creates the object that the system would pass, for tests.
    package init(date: Date, request: UNNotificationRequest) {
        self.date = date
        self.request = request
    }
}
