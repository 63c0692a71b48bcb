// Only the stand-ins are checked here: on Darwin the compiler sees Apple's headers.
#if !canImport(Darwin)
import CallKit
import Foundation
import PushKit
import Testing
import UserNotifications
import UserNotificationsUI

/// Uses every declaration of Apple's that this project needs, with its type.
///
/// `Tests/Shims/API.txt` lists all that the stand-ins declare, so that they don't offer more than
/// Apple does.
@Suite("The stand-ins declare what Apple's frameworks declare")
struct AppleDeclarationTests {
    /// Returns whether a property can only be read: `KeyPath`, not `ReferenceWritableKeyPath`.
    private func isReadOnly<Root, Value>(_ path: KeyPath<Root, Value>, _: Value.Type) -> Bool {
        !(path is ReferenceWritableKeyPath<Root, Value>)
    }

    private func isWritable<Root, Value>(_: ReferenceWritableKeyPath<Root, Value>, _: Value.Type)
        -> Bool
    { true }

    @Test("Notification content is read-only") func contentIsReadOnly() {
        typealias Content = UNNotificationContent
        #expect(isReadOnly(\Content.attachments, [UNNotificationAttachment].self))
        #expect(isReadOnly(\Content.badge, NSNumber?.self))
        #expect(isReadOnly(\Content.body, String.self))
        #expect(isReadOnly(\Content.categoryIdentifier, String.self))
        #expect(isReadOnly(\Content.launchImageName, String.self))
        #expect(isReadOnly(\Content.sound, UNNotificationSound?.self))
        #expect(isReadOnly(\Content.subtitle, String.self))
        #expect(isReadOnly(\Content.threadIdentifier, String.self))
        #expect(isReadOnly(\Content.title, String.self))
        #expect(isReadOnly(\Content.userInfo, [AnyHashable: Any].self))
        #expect(isReadOnly(\Content.targetContentIdentifier, String?.self))
        #expect(isReadOnly(\Content.interruptionLevel, UNNotificationInterruptionLevel.self))
        #expect(isReadOnly(\Content.relevanceScore, Double.self))
        #expect(isReadOnly(\Content.filterCriteria, String?.self))
        let _: (Content) -> () -> Any = Content.mutableCopy
        let _: (Content) -> (any UNNotificationContentProviding) throws -> Content = Content
            .updating(from:)
        let _: any NSCopying & NSMutableCopying & NSSecureCoding = Content()
    }

    @Test("Mutable notification content is writable") func mutableContentIsWritable() {
        typealias Content = UNMutableNotificationContent
        #expect(isWritable(\Content.attachments, [UNNotificationAttachment].self))
        #expect(isWritable(\Content.badge, NSNumber?.self))
        #expect(isWritable(\Content.body, String.self))
        #expect(isWritable(\Content.categoryIdentifier, String.self))
        #expect(isWritable(\Content.launchImageName, String.self))
        #expect(isWritable(\Content.sound, UNNotificationSound?.self))
        #expect(isWritable(\Content.subtitle, String.self))
        #expect(isWritable(\Content.threadIdentifier, String.self))
        #expect(isWritable(\Content.title, String.self))
        #expect(isWritable(\Content.userInfo, [AnyHashable: Any].self))
        #expect(isWritable(\Content.targetContentIdentifier, String?.self))
        #expect(isWritable(\Content.interruptionLevel, UNNotificationInterruptionLevel.self))
        #expect(isWritable(\Content.relevanceScore, Double.self))
        #expect(isWritable(\Content.filterCriteria, String?.self))
    }

    @Test("Interruption levels have Apple's raw values") func levelsHaveApplesNumbers() {
        let levels: [UNNotificationInterruptionLevel] = [
            .passive, .active, .timeSensitive, .critical,
        ]
        #expect(levels.map(\.rawValue) == [0, 1, 2, 3] as [UInt])
    }

    @Test("Sounds and attachments have Apple's types") func soundsAndAttachments() {
        let _: () -> [UNNotificationSound] = { [.default, .defaultCritical] }
        let _: (Float) -> UNNotificationSound = UNNotificationSound.defaultCriticalSound(
            withAudioVolume:)
        let _: (UNNotificationSoundName) -> UNNotificationSound = UNNotificationSound.init(named:)
        let _: (UNNotificationSoundName) -> UNNotificationSound = UNNotificationSound
            .criticalSoundNamed(_:)
        let _: (UNNotificationSoundName, Float) -> UNNotificationSound =
            UNNotificationSound.criticalSoundNamed(_:withAudioVolume:)
        let _: (String) -> UNNotificationSoundName = UNNotificationSoundName.init(rawValue:)
        let _: (String) -> UNNotificationSoundName = UNNotificationSoundName.init(_:)
        #expect(isReadOnly(\UNNotificationAttachment.identifier, String.self))
        #expect(isReadOnly(\UNNotificationAttachment.url, URL.self))
        #expect(isReadOnly(\UNNotificationAttachment.type, String.self))
        let _: (String, URL, [AnyHashable: Any]?) throws -> UNNotificationAttachment =
            UNNotificationAttachment.init(identifier:url:options:)
        let _: String = UNNotificationAttachmentOptionsTypeHintKey
    }

    @Test("Requests, notifications and responses have Apple's types")
    func requestsNotificationsAndResponses() {
        #expect(isReadOnly(\UNNotificationRequest.identifier, String.self))
        #expect(isReadOnly(\UNNotificationRequest.content, UNNotificationContent.self))
        #expect(isReadOnly(\UNNotificationRequest.trigger, UNNotificationTrigger?.self))
        let _: (String, UNNotificationContent, UNNotificationTrigger?) -> UNNotificationRequest =
            UNNotificationRequest.init(identifier:content:trigger:)
        let _: UNPushNotificationTrigger.Type = UNPushNotificationTrigger.self
        #expect(isReadOnly(\UNNotification.date, Date.self))
        #expect(isReadOnly(\UNNotification.request, UNNotificationRequest.self))
        #expect(isReadOnly(\UNNotificationResponse.notification, UNNotification.self))
        #expect(isReadOnly(\UNNotificationResponse.actionIdentifier, String.self))
        let _: [String] = [
            UNNotificationDefaultActionIdentifier, UNNotificationDismissActionIdentifier,
        ]
        let _: (String, [Any]?) -> String = NSString.localizedUserNotificationString(
            forKey:arguments:)
    }

    @Test("Extensions and delegates have Apple's methods") func extensionsAndDelegates() {
        typealias Service = UNNotificationServiceExtension
        let _:
            (Service) -> (UNNotificationRequest, @escaping (UNNotificationContent) -> Void) -> Void =
                Service.didReceive(_:withContentHandler:)
        let _: (Service) -> () -> Void = Service.serviceExtensionTimeWillExpire
        let _:
            (Silent) -> (
                UNUserNotificationCenter, UNNotification,
                @escaping (UNNotificationPresentationOptions) -> Void
            ) ->
                Void = Silent.userNotificationCenter(_:willPresent:withCompletionHandler:)
        let _:
            (Silent) -> (UNUserNotificationCenter, UNNotificationResponse, @escaping () -> Void) ->
                Void =
                Silent.userNotificationCenter(_:didReceive:withCompletionHandler:)
        let _: (Silent) -> (UNNotification) -> Void = Silent.didReceive(_:)
        let _:
            (Silent) -> (
                UNNotificationResponse,
                @escaping (UNNotificationContentExtensionResponseOption) -> Void
            ) -> Void = Silent.didReceive(_:completionHandler:)
    }

    @Test("PushKit payloads have Apple's types") func pushPayloads() {
        #expect(isReadOnly(\PKPushPayload.type, PKPushType.self))
        #expect(isReadOnly(\PKPushPayload.dictionaryPayload, [AnyHashable: Any].self))
        #expect(PKPushType.voIP.rawValue == "PKPushTypeVoIP")
        #expect(isReadOnly(\PKVoIPPushMetadata.mustReport, Bool.self))
        let _: ([AnyHashable: Any], (@Sendable ((any Error)?) -> Void)?) -> Void =
            CXProvider.reportNewIncomingVoIPPushPayload(_:completion:)
    }
}

/// A delegate and a content extension without the optional methods.
private final class Silent: NSObject, UNUserNotificationCenterDelegate,
    UNNotificationContentExtension
{
    func didReceive(_ notification: UNNotification) {}
}
#endif
