// Stand-ins for the classes of Apple's UserNotifications framework, so that PushCryptApple is
// compiled and tested on Linux. They declare no more than Apple's headers, as Swift imports them,
// and nothing is sendable that Apple's class isn't. Declarations with `package` aren't Apple's and
// are for the project's own tests. No product contains the stand-ins.
public import Foundation

/// Stands in for Apple's class of the same name.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, NSSecureCoding {
    var values = ContentValues()

    /// Not Apple's: the objects that have updated the content, for tests.
    ///
    /// Apple doesn't document whether a mutable copy keeps them, so this copy doesn't.
    package private(set) var updatedBy: (any UNNotificationContentProviding)?

    convenience init(_ values: ContentValues) {
        self.init()
        self.values = values
    }

    /// Reads nothing, because no test archives content.
    public required convenience init?(coder: NSCoder) { nil }

    /// Writes nothing, because no test archives content.
    open func encode(with coder: NSCoder) {}

    /// The same value as in Apple's class.
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

    /// Returns an immutable copy.
    open func copy(with zone: NSZone?) -> Any {
        let copy = UNNotificationContent(values)
        copy.updatedBy = updatedBy
        return copy
    }

    /// Returns a mutable copy.
    ///
    /// Apple doesn't say whether a copy of updated content stays a communication notification.
    /// Published apps change a mutable copy of it before they hand it over, and rely on that.
    open func mutableCopy(with zone: NSZone?) -> Any {
        let copy = UNMutableNotificationContent(values)
        copy.updatedBy = updatedBy
        return copy
    }

    /// Returns a mutable copy.
    open override func mutableCopy() -> Any { mutableCopy(with: nil) }

    /// Stands in for Apple's method of the same name, which accepts only the system's providers.
    ///
    /// What the title reads as afterwards is unknown: Apple says only that the system displays the
    /// sender's name. So a receipt covers what is read back, and the app's reader compares it with
    /// what it reads.
    open func updating(from provider: any UNNotificationContentProviding) throws
        -> UNNotificationContent
    {
        let changed = UNMutableNotificationContent(values)
        try (provider as? any TestContentProvider)?.update(changed)
        let updated = UNNotificationContent(changed.values)
        updated.updatedBy = provider
        return updated
    }
}
