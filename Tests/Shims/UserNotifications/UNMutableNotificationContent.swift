public import Foundation

/// Stands in for Apple's class of the same name.
open class UNMutableNotificationContent: UNNotificationContent {
    /// Stands in for Apple's property of the same name.
    open override var attachments: [UNNotificationAttachment] {
        get { values.attachments }
        set { values.attachments = newValue }
    }
    /// Stands in for Apple's property of the same name.
    open override var badge: NSNumber? {
        get { values.badge }
        set { values.badge = newValue }
    }
    /// Stands in for Apple's property of the same name.
    open override var body: String {
        get { values.body }
        set { values.body = newValue }
    }
    /// Stands in for Apple's property of the same name.
    open override var categoryIdentifier: String {
        get { values.categoryIdentifier }
        set { values.categoryIdentifier = newValue }
    }
    /// Stands in for Apple's property of the same name.
    @available(macOS, unavailable)
    open override var launchImageName: String {
        get { values.launchImageName }
        set { values.launchImageName = newValue }
    }
    /// Stands in for Apple's property of the same name.
    open override var sound: UNNotificationSound? {
        get { values.sound }
        set { values.sound = newValue }
    }
    /// Stands in for Apple's property of the same name.
    open override var subtitle: String {
        get { values.subtitle }
        set { values.subtitle = newValue }
    }
    /// Stands in for Apple's property of the same name.
    open override var threadIdentifier: String {
        get { values.threadIdentifier }
        set { values.threadIdentifier = newValue }
    }
    /// Stands in for Apple's property of the same name.
    open override var title: String {
        get { values.title }
        set { values.title = newValue }
    }
    /// Stands in for Apple's property of the same name.
    open override var userInfo: [AnyHashable: Any] {
        get { values.userInfo }
        set { values.userInfo = newValue }
    }
    /// Stands in for Apple's property of the same name.
    open override var targetContentIdentifier: String? {
        get { values.targetContentIdentifier }
        set { values.targetContentIdentifier = newValue }
    }
    /// Stands in for Apple's property of the same name.
    @available(iOS 15, *)
    open override var interruptionLevel: UNNotificationInterruptionLevel {
        get { values.interruptionLevel }
        set { values.interruptionLevel = newValue }
    }
    /// Stands in for Apple's property of the same name.
    @available(iOS 15, *)
    open override var relevanceScore: Double {
        get { values.relevanceScore }
        set { values.relevanceScore = newValue }
    }
    /// Stands in for Apple's property of the same name.
    @available(iOS 16, macOS 13, watchOS 9, *)
    open override var filterCriteria: String? {
        get { values.filterCriteria }
        set { values.filterCriteria = newValue }
    }
}
