// Stand-ins for the classes of Apple's UserNotifications framework, for Linux: what PushCryptApple needs to be compiled and
// tested there. They declare what Apple's headers declare, as Swift sees it, and no more; nothing here is friendlier than
// the real thing, and nothing can be handed to another thread. No product contains them. StandInTests compares them with
// the list of Apple's declarations; what is `package` is not Apple's, and only the project's own tests reach it.
public import Foundation

/// Stands in for Apple's class of the same name.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, NSSecureCoding {
    var values = ContentValues()

    /// Not Apple's: what has updated the content, so that a test sees whether it has survived.
    ///
    /// What a changeable copy keeps of it is Apple's secret, so it keeps nothing.
    package private(set) var updatedBy: (any UNNotificationContentProviding)?

    convenience init(_ values: ContentValues) {
        self.init()
        self.values = values
    }

    /// Reads nothing: no test archives content.
    public required convenience init?(coder: NSCoder) { nil }

    /// Writes nothing: no test archives content.
    open func encode(with coder: NSCoder) {}

    /// As Apple's class says.
    open class var supportsSecureCoding: Bool { true }

    /// Stands in for Apple's property of the same name.
    open var attachments: [UNNotificationAttachment] { values.attachments }
    /// Stands in for Apple's property of the same name.
    open var badge: NSNumber? { values.badge }
    /// Stands in for Apple's property of the same name.
    open var body: String { values.body }
    /// Stands in for Apple's property of the same name.
    open var categoryIdentifier: String { values.categoryIdentifier }
    /// Stands in for Apple's property of the same name.
    @available(macOS, unavailable)
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
    @available(iOS 15, *)
    open var interruptionLevel: UNNotificationInterruptionLevel { values.interruptionLevel }
    /// Stands in for Apple's property of the same name.
    @available(iOS 15, *)
    open var relevanceScore: Double { values.relevanceScore }
    /// Stands in for Apple's property of the same name.
    @available(iOS 16, macOS 13, watchOS 9, *)
    open var filterCriteria: String? { values.filterCriteria }

    /// Copies the content, unchangeable.
    open func copy(with zone: NSZone?) -> Any {
        let copy = UNNotificationContent(values)
        copy.updatedBy = updatedBy
        return copy
    }

    /// Copies the content, changeable.
    open func mutableCopy(with zone: NSZone?) -> Any { UNMutableNotificationContent(values) }

    /// Copies the content, changeable.
    open override func mutableCopy() -> Any { mutableCopy(with: nil) }

    /// Stands in for Apple's method of the same name, which takes no providers but the system's own.
    open func updating(from provider: any UNNotificationContentProviding) throws -> UNNotificationContent {
        let changed = UNMutableNotificationContent(values)
        try (provider as? any TestContentProvider)?.update(changed)
        let updated = UNNotificationContent(changed.values)
        updated.updatedBy = provider
        return updated
    }
}
