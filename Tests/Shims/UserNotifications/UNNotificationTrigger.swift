public import Foundation

/// Stands in for Apple's class of the same name, of which nothing here needs a kind.
open class UNNotificationTrigger: NSObject {
    /// Nobody makes a trigger that is none of Apple's kinds.
    override init() {}
}
