public import Foundation

/// Stands in for Apple's class of the same name, of which the system makes all objects.
open class UNNotification: NSObject {
    /// Stands in for Apple's property of the same name.
    public let date: Date
    /// Stands in for Apple's property of the same name.
    public let request: UNNotificationRequest

    /// Not Apple's: makes what the system would hand over, for tests.
    package init(date: Date, request: UNNotificationRequest) {
        self.date = date
        self.request = request
    }
}
