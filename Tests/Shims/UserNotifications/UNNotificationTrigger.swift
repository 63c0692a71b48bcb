public import Foundation

/// Stands in for Apple's class of the same name. No subclass is needed but that of pushes.
open class UNNotificationTrigger: NSObject {
    /// Unavailable, as in Apple's header.
    override init() {}
}
