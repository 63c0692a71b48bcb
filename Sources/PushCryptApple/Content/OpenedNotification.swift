public import PushCryptReceiver
public import UserNotifications

/// An opened notification for the app's customization.
public struct OpenedNotification {
    /// A copy of the content to display, which the customization may change and return.
    public let content: UNMutableNotificationContent

    /// The opened message.
    public let push: OpenedPush

    /// The identifier of the system's request.
    public let identifier: String

    let updateContent: (UNNotificationContent) -> Void

    /// Updates the content that is displayed if time runs out before the customization ends.
    ///
    /// Call it with a contact's name, for example, before you load a picture. Content without a
    /// title, a subtitle and a body is ignored.
    ///
    /// - Parameter content: The better content.
    public func update(_ content: UNNotificationContent) {
        updateContent(content)
    }
}

extension OpenedNotification: CustomStringConvertible, Redacted {
    /// The description of the message, without its content.
    public var description: String { "OpenedNotification of \(push)" }
}
