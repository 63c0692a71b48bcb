// Only for messages between people: the notification shows the author with a picture, and may break
// through a Focus. Name this class in the extension's Info.plist instead of NotificationService.
// The app needs the capability Communication Notifications, and INSendMessageIntent in the
// NSUserActivityTypes of its Info.plist (Docs/Xcode.md). Source: Apple, "Implementing communication
// notifications", and donate(completion:) of INInteraction.
import Foundation
import PushCryptApple
import UserNotifications

#if canImport(Intents)
import Intents
#endif

nonisolated class CommunicationNotificationService: NotificationService {
    /// The custom member `sender` of your payloads, sealed with the rest.
    struct Sender: Decodable {
        let id: String
        let name: String
        let conversation: String
        let picture: URL?
        /// The name and the other members of a group; missing in a conversation of two.
        let group: String?
        let members: [Member]?
    }

    struct Member: Decodable {
        let id: String
        let name: String
    }

    override func customizedContent(for notification: OpenedNotification) async throws
        -> UNNotificationContent
    {
        let reader = PayloadReader(notification.push)
        guard let sender = try reader.customIfPresent("sender", as: Sender.self),
            let provider = provider(for: sender, picture: nil)
        else { return notification.content }
        let named = try await updated(notification.content, from: provider)
        guard let url = sender.picture else { return named }
        // If the picture is slow or fails, the notification shows at least the name.
        notification.update(named)
        let picture = try await picture(at: url)
        guard let provider = self.provider(for: sender, picture: picture) else { return named }
        return try await updated(notification.content, from: provider)
    }

    /// Donates an intent, and then updates the content with it, in Apple's order.
    private func updated(
        _ content: UNNotificationContent, from provider: any UNNotificationContentProviding
    ) async throws -> UNNotificationContent {
        // If the donation fails, Siri knows less, and the notification still shows the name.
        try? await donate(provider)
        return try content.updating(from: provider)
    }

    /// Donates an intent, and returns when the system has it, because it may suspend the extension
    /// after the display.
    ///
    /// Unknown: whether content that was updated with an intent that isn't donated is displayed as
    /// a communication.
    func donate(_ provider: any UNNotificationContentProviding) async throws {
        #if canImport(Intents)
        guard let intent = provider as? INIntent else { return }
        let interaction = INInteraction(intent: intent, response: nil)
        interaction.direction = .incoming
        try await interaction.donate()
        #endif
    }

    /// Loads a picture, for example from a cache in the app group.
    ///
    /// The picture's server learns that this device has received this message.
    func picture(at url: URL) async throws -> Data {
        #if canImport(Darwin)
        try await URLSession.shared.data(from: url).0
        #else
        try Data(contentsOf: url)
        #endif
    }

    /// Returns an intent with the author; `nil` if the system doesn't have intents.
    func provider(for sender: Sender, picture: Data?) -> (any UNNotificationContentProviding)? {
        #if canImport(Intents)
        func person(_ id: String, _ name: String, _ image: INImage? = nil) -> INPerson {
            INPerson(
                personHandle: INPersonHandle(value: id, type: .unknown), nameComponents: nil,
                displayName: name,
                image: image, contactIdentifier: nil, customIdentifier: id)
        }
        let image = picture.map { INImage(imageData: $0) }
        // Without the text, because the system stores donated intents. A group has at least two
        // recipients.
        let intent = INSendMessageIntent(
            recipients: sender.members?.map { person($0.id, $0.name) },
            outgoingMessageType: .outgoingMessageText,
            content: nil,
            speakableGroupName: sender.group.map { INSpeakableString(spokenPhrase: $0) },
            conversationIdentifier: sender.conversation, serviceName: nil,
            sender: person(sender.id, sender.name, image), attachments: nil)
        if sender.group != nil { intent.setImage(image, forParameterNamed: \.speakableGroupName) }
        return intent
        #else
        return nil
        #endif
    }
}
