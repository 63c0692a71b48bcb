public import Foundation

/// Stands in for Apple's class of the same name: the delegate's methods name it.
open class UNUserNotificationCenter: NSObject {
    /// Not Apple's: the system has one for each app, tests make their own.
    package override init() {}
}
