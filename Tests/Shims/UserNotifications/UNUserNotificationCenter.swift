public import Foundation

/// Stands in for Apple's class of the same name, which the delegate's methods need.
open class UNUserNotificationCenter: NSObject {
    /// Not Apple's: tests create their own centers.
    package override init() {}
}
