internal import Foundation
public import PushCryptReceiver
public import UserNotifications

extension NotificationContent {
    /// Reads the system's content.
    ///
    /// Its sound is not read, because the system's class does not say what it is, nor are its attachments, of which a
    /// delivered push has none; both stay as they are unless something takes their place.
    ///
    /// - Parameter content: the content of a request.
    public init(_ content: UNNotificationContent) {
        self.init(title: content.title, subtitle: content.subtitle, body: content.body)
        badge = content.badge?.intValue
        threadIdentifier = content.threadIdentifier
        categoryIdentifier = content.categoryIdentifier
        targetContentIdentifier = content.targetContentIdentifier
        interruptionLevel = InterruptionLevel(content.interruptionLevel)
        relevanceScore = content.relevanceScore
        if #available(iOS 16, macOS 13, watchOS 9, *) { filterCriteria = content.filterCriteria }
        #if !os(macOS)
        launchImageName = content.launchImageName
        #endif
    }
}

extension InterruptionLevel {
    init(_ level: UNNotificationInterruptionLevel) {
        switch level {
        case .passive: self = .passive
        case .timeSensitive: self = .timeSensitive
        case .critical: self = .critical
        default: self = .active
        }
    }

    var system: UNNotificationInterruptionLevel {
        switch self {
        case .passive: .passive
        case .active: .active
        case .timeSensitive: .timeSensitive
        case .critical: .critical
        }
    }
}
