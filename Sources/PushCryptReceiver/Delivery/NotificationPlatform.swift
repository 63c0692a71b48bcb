package import Foundation
package import PushCryptCore

/// The system's side of a ``NotificationPipeline``, for one request.
package protocol NotificationPlatform: Sendable {
    /// The content that the system's handler gets.
    associatedtype Content: Sendable

    /// A Boolean value that indicates whether the platform attaches files or customizes content.
    var hasSteps: Bool { get }

    /// The system's list, from which withdrawn notifications are removed; `nil` if the platform has none.
    var deliveredList: (any DeliveredList)? { get }

    /// Returns the displayed notifications with their content; empty if the platform has no list.
    func displayedNotifications() async -> [DisplayedNotification<Content>]

    /// The content that displays nothing.
    var emptyContent: Content { get }

    /// Returns the system's content with the properties of an opened notification or of the fallback.
    func content(for content: NotificationContent) -> Content

    /// Returns the properties of the system's content.
    func read(_ content: Content) -> NotificationContent

    /// Returns the sealed text or the opened payload in the system's content; `nil` if it's neither.
    func source(of content: Content) -> ReceiptSource?

    /// Returns the content with a number for the app's icon.
    func content(_ content: Content, withBadge badge: Int) -> Content

    /// Returns the content with a receipt in its `userInfo`, or without one if it's `nil`.
    func content(_ content: Content, withReceipt receipt: String?) -> Content

    /// Returns the content of a displayed notification, to be displayed again without alerting the user.
    func silent(_ content: Content) -> Content

    /// Returns the content with the message's attachments; `nil` if the platform attaches nothing.
    func attach(
        to content: Content, from push: OpenedPush, timeout: TimeInterval
    ) async throws(PushCryptError) -> Content?

    /// Returns the content with the app's changes.
    func customize(_ draft: NotificationDraft<Self>) async throws -> Content
}

extension NotificationPlatform {
    package func displayedNotifications() async -> [DisplayedNotification<Content>] { [] }

    package func attach(
        to content: Content, from push: OpenedPush, timeout: TimeInterval
    ) async throws(PushCryptError) -> Content? { nil }
}

/// A notification in the system's list.
package struct DisplayedNotification<Content: Sendable>: Sendable {
    /// The notification as the app reads it.
    let notification: DeliveredNotification
    /// The platform's content.
    let content: Content

    package init(_ notification: DeliveredNotification, content: Content) {
        self.notification = notification
        self.content = content
    }
}
