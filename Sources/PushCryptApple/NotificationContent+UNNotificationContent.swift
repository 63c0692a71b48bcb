internal import Foundation
package import PushCryptReceiver
package import UserNotifications

extension NotificationContent {
    /// Creates content from the system's.
    ///
    /// A delivered push has no attachments, so they are left out.
    package init(_ content: UNNotificationContent) {
        self.init(title: content.title, subtitle: content.subtitle, body: content.body)
        badge = content.badge?.intValue
        sound = content.sound.map { _ in .delivered }
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

    /// Returns the system's content with these properties, and any other property of the delivered content.
    package func systemContent(replacing delivered: UNNotificationContent) -> UNMutableNotificationContent {
        let content = delivered.mutableCopy() as? UNMutableNotificationContent ?? UNMutableNotificationContent()
        content.title = title
        content.subtitle = subtitle
        content.body = body
        content.badge = badge.map { NSNumber(value: $0) }
        if sound != .delivered { content.sound = sound?.system }
        content.threadIdentifier = threadIdentifier
        content.categoryIdentifier = categoryIdentifier
        content.targetContentIdentifier = targetContentIdentifier
        content.interruptionLevel = interruptionLevel.system
        content.relevanceScore = relevanceScore.inUnitRange
        if #available(iOS 16, macOS 13, watchOS 9, *) { content.filterCriteria = filterCriteria }
        #if !os(macOS)
        content.launchImageName = launchImageName
        #endif
        content.attachments = []
        if let originalPayload { content.userInfo = originalPayload.compactMapValues(\.foundationValue) }
        return content
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

extension NotificationSound {
    var system: UNNotificationSound {
        switch self {
        case .delivered, .standard:
            return .default
        case .standardCritical(nil):
            return .defaultCritical
        case .standardCritical(let volume?):
            return .defaultCriticalSound(withAudioVolume: Float(volume.inUnitRange))
        case .named(let name):
            #if os(watchOS)
            return .default
            #else
            return UNNotificationSound(named: UNNotificationSoundName(rawValue: name))
            #endif
        case .criticalNamed(let name, let volume):
            #if os(watchOS)
            return volume.map { .defaultCriticalSound(withAudioVolume: Float($0.inUnitRange)) } ?? .defaultCritical
            #else
            let name = UNNotificationSoundName(rawValue: name)
            return volume.map { .criticalSoundNamed(name, withAudioVolume: Float($0.inUnitRange)) }
                ?? .criticalSoundNamed(name)
            #endif
        }
    }
}

extension Double {
    /// The nearest number from 0 to 1, the system's range.
    ///
    /// A sender may have sent any number.
    fileprivate var inUnitRange: Double { min(max(self, 0), 1) }
}

extension JSONValue {
    /// The value for the system's dictionaries; `nil` for `null`.
    ///
    /// A property list can't contain `null`, and APNs doesn't deliver it either, so such members are left out.
    var foundationValue: Any? {
        switch self {
        case .null: nil
        case .bool(let value): value
        case .number(let value): value.foundationValue
        case .string(let value): value
        case .array(let values): values.compactMap(\.foundationValue)
        case .object(let members): members.compactMapValues(\.foundationValue)
        }
    }
}

extension JSONNumber {
    /// The number as the first Foundation type that holds all of it.
    fileprivate var foundationValue: Any? {
        if let value = exactly(Int64.self) { return value }
        if let value = exactly(UInt64.self) { return value }
        if let value = double, JSONNumber(value) == self { return value }
        return decimal.map { NSDecimalNumber(decimal: $0) } ?? double
    }
}
