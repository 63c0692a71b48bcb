public import Foundation

/// Stands in for Apple's class of the same name; only the subclass for pushes is needed.
open class UNNotificationTrigger: NSObject {
    /// Unavailable, as in Apple's header.
    override init() {}
}
