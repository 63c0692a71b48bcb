/// Stands in for Apple's class of the same name; only the system creates its objects.
open class UNPushNotificationTrigger: UNNotificationTrigger {
    /// Not Apple's: creates the object that the system would pass, for tests.
    package override init() {}
}
