/// Stands in for Apple's class of the same name, of which the system makes all objects.
open class UNPushNotificationTrigger: UNNotificationTrigger {
    /// Not Apple's: makes what the system would hand over, for tests.
    package override init() {}
}
