internal import Foundation
internal import PushCryptCore
package import PushCryptReceiver
package import UserNotifications

extension NotificationContent {
    /// Creates content from the system's, without attachments, which a delivered push doesn't have.
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

    /// Returns the system's content with these properties, and any other property of the delivered
    /// content.
    ///
    /// Its `userInfo` has no delivered member that the carrier doesn't need, unless the app accepts
    /// payloads that aren't sealed.
    package func systemContent(
        replacing delivered: UNNotificationContent, from delivery: SealedPlace = .direct
    ) -> UNMutableNotificationContent {
        let content =
            delivered.mutableCopy() as? UNMutableNotificationContent
            ?? UNMutableNotificationContent()
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
        content.userInfo = userInfo(replacing: delivered.userInfo, from: delivery)
        return content
    }

    /// Returns the original payload or the delivered dictionary, without a receipt that was
    /// delivered.
    private func userInfo(
        replacing delivered: [AnyHashable: Any], from delivery: SealedPlace
    ) -> [AnyHashable: Any] {
        var userInfo = keepsDeliveredMembers ? delivered : delivery.cleaned(delivered)
        if losesSealedValue { userInfo = delivery.withoutSealedValue(userInfo) }
        if let originalPayload { userInfo = originalPayload.compactMapValues(\.foundationValue) }
        userInfo[Envelope.receiptKey] = receipt
        return userInfo
    }
}

extension InterruptionLevel {
    init(_ level: UNNotificationInterruptionLevel) {
        self = Self.allCases.first { $0.system == level } ?? .active
    }

    var system: UNNotificationInterruptionLevel {
        switch self {
        case .passive: .passive
        case .timeSensitive: .timeSensitive
        case .critical: .critical
        default: .active
        }
    }
}

extension NotificationSound {
    var system: UNNotificationSound {
        let volume = volume.map { Float($0.inUnitRange) }
        #if !os(watchOS)
        if let name {
            let file = UNNotificationSoundName(rawValue: name)
            guard isCritical else { return UNNotificationSound(named: file) }
            return volume.map { .criticalSoundNamed(file, withAudioVolume: $0) }
                ?? .criticalSoundNamed(file)
        }
        #endif
        guard isCritical else { return .default }
        return volume.map { .defaultCriticalSound(withAudioVolume: $0) } ?? .defaultCritical
    }
}

extension Double {
    /// The nearest number in the system's range, from 0 to 1.
    fileprivate var inUnitRange: Double { min(max(self, 0), 1) }
}

extension JSONValue {
    /// The value for the system's dictionaries; `nil` for `null`, which a property list can't
    /// contain.
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
