// Stand-ins for the classes of Apple's UserNotifications framework, for Linux: what PushCryptApple needs to be compiled and
// tested there. They declare what Apple's headers declare, as Swift sees it, and no more; nothing here is friendlier than
// the real thing, and nothing is Sendable. No product contains them.
public import Foundation

/// Stands in for Apple's class of the same name.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying {
    fileprivate var values = Values()

    fileprivate struct Values {
        var attachments: [UNNotificationAttachment] = []
        var badge: NSNumber?
        var body = ""
        var categoryIdentifier = ""
        var launchImageName = ""
        var sound: UNNotificationSound?
        var subtitle = ""
        var threadIdentifier = ""
        var title = ""
        var userInfo: [AnyHashable: Any] = [:]
        var targetContentIdentifier: String?
        var interruptionLevel = UNNotificationInterruptionLevel.active
        var relevanceScore = 0.0
        var filterCriteria: String?
    }

    /// Makes empty content.
    public override init() {}

    fileprivate init(_ values: Values) {
        self.values = values
    }

    /// Stands in for Apple's property of the same name.
    open var attachments: [UNNotificationAttachment] { values.attachments }
    /// Stands in for Apple's property of the same name.
    open var badge: NSNumber? { values.badge }
    /// Stands in for Apple's property of the same name.
    open var body: String { values.body }
    /// Stands in for Apple's property of the same name.
    open var categoryIdentifier: String { values.categoryIdentifier }
    /// Stands in for Apple's property of the same name.
    open var launchImageName: String { values.launchImageName }
    /// Stands in for Apple's property of the same name.
    open var sound: UNNotificationSound? { values.sound }
    /// Stands in for Apple's property of the same name.
    open var subtitle: String { values.subtitle }
    /// Stands in for Apple's property of the same name.
    open var threadIdentifier: String { values.threadIdentifier }
    /// Stands in for Apple's property of the same name.
    open var title: String { values.title }
    /// Stands in for Apple's property of the same name.
    open var userInfo: [AnyHashable: Any] { values.userInfo }
    /// Stands in for Apple's property of the same name.
    open var targetContentIdentifier: String? { values.targetContentIdentifier }
    /// Stands in for Apple's property of the same name.
    open var interruptionLevel: UNNotificationInterruptionLevel { values.interruptionLevel }
    /// Stands in for Apple's property of the same name.
    open var relevanceScore: Double { values.relevanceScore }
    /// Stands in for Apple's property of the same name.
    open var filterCriteria: String? { values.filterCriteria }

    /// Copies the content, unchangeable.
    open func copy(with zone: NSZone?) -> Any { UNNotificationContent(values) }

    /// Copies the content, changeable.
    open func mutableCopy(with zone: NSZone?) -> Any { UNMutableNotificationContent(values) }
}

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
    open override var interruptionLevel: UNNotificationInterruptionLevel {
        get { values.interruptionLevel }
        set { values.interruptionLevel = newValue }
    }
    /// Stands in for Apple's property of the same name.
    open override var relevanceScore: Double {
        get { values.relevanceScore }
        set { values.relevanceScore = newValue }
    }
    /// Stands in for Apple's property of the same name.
    open override var filterCriteria: String? {
        get { values.filterCriteria }
        set { values.filterCriteria = newValue }
    }
}

/// Stands in for Apple's enumeration of the same name.
public enum UNNotificationInterruptionLevel: UInt {
    /// Stands in for Apple's case of the same name.
    case passive
    /// Stands in for Apple's case of the same name.
    case active
    /// Stands in for Apple's case of the same name.
    case timeSensitive
    /// Stands in for Apple's case of the same name.
    case critical
}
