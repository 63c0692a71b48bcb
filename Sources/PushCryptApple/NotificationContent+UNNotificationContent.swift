internal import Foundation
public import PushCryptReceiver
public import UserNotifications

extension NotificationContent {
    /// The system's content with this content's properties.
    ///
    /// - Parameter delivered: the content of the request, from which everything comes that this content does not set.
    /// - Returns: what to hand to the system's content handler.
    public func systemContent(replacing delivered: UNNotificationContent) -> UNNotificationContent {
        mutableSystemContent(replacing: delivered)
    }

    func mutableSystemContent(replacing delivered: UNNotificationContent) -> UNMutableNotificationContent {
        let content = delivered.mutableCopy() as? UNMutableNotificationContent ?? UNMutableNotificationContent()
        content.title = title
        content.subtitle = subtitle
        content.body = body
        content.badge = badge.map { NSNumber(value: $0) }
        if let sound { content.sound = sound.system }
        content.threadIdentifier = threadIdentifier
        content.categoryIdentifier = categoryIdentifier
        content.targetContentIdentifier = targetContentIdentifier
        content.interruptionLevel = interruptionLevel.system
        content.relevanceScore = relevanceScore.inUnitRange
        if #available(iOS 16, macOS 13, watchOS 9, *) { content.filterCriteria = filterCriteria }
        #if !os(macOS)
        content.launchImageName = launchImageName
        #endif
        // A file that the system does not take costs its picture, not the text.
        content.attachments = attachments.compactMap {
            try? UNNotificationAttachment(identifier: $0.identifier, url: $0.url, options: nil)
        }
        if case .original(let payload) = userInfo {
            content.userInfo = payload.compactMapValues(\.foundationValue)
        }
        return content
    }
}

extension NotificationSound {
    var system: UNNotificationSound {
        switch self {
        case .standard:
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
    /// The nearest number from 0 to 1, which is what the system takes; a sender may have written any.
    fileprivate var inUnitRange: Double { min(max(self, 0), 1) }
}

extension JSONValue {
    /// The value as the system's dictionaries hold it; `nil` for `null`.
    ///
    /// `userInfo` takes what a property list can hold, which `null` is not, and APNs does not deliver it either: members
    /// and elements that are `null` are left out.
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
    /// The number as the first Foundation type that holds all of it; `nil` if there is none.
    fileprivate var foundationValue: Any? {
        if let value = exactly(Int64.self) { return value }
        if let value = exactly(UInt64.self) { return value }
        if let value = double, JSONNumber(value) == self { return value }
        return decimal.map { NSDecimalNumber(decimal: $0) } ?? double
    }
}
