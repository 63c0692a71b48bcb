/// An opened notification that the app may change.
package struct NotificationDraft<Platform: NotificationPlatform>: Sendable {
    /// The opened message.
    package let push: OpenedPush

    /// The opened notification in all its properties, which the system's content doesn't reveal again.
    package let original: NotificationContent

    /// The system's content, with the attachments.
    package internal(set) var content: Platform.Content

    /// The identifier of the request.
    package let identifier: String

    let presentation: Presentation
    let platform: Platform
    let gate: DeliveryGate<PresentedNotification<Platform.Content>>

    /// Updates the content that is displayed if time runs out before the customization ends.
    package func update(_ content: Platform.Content) {
        gate.update(PresentedNotification(content, as: presentation, on: platform))
    }
}
