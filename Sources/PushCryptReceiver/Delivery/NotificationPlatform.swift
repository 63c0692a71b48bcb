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

    /// The content that displays nothing.
    var emptyContent: Content { get }

    /// Returns the system's content with the properties of an opened notification or of the fallback.
    func content(for content: NotificationContent) -> Content

    /// Returns the properties of the system's content.
    func read(_ content: Content) -> NotificationContent

    /// Returns the content with a number for the app's icon.
    func content(_ content: Content, withBadge badge: Int) -> Content

    /// Returns the content with the message's attachments; `nil` if the platform attaches nothing.
    func attach(
        to content: Content, from push: OpenedPush, timeout: TimeInterval
    ) async throws(PushCryptError) -> Content?

    /// Returns the content with the app's changes.
    func customize(_ draft: NotificationDraft<Self>) async throws -> Content
}

extension NotificationPlatform {
    package func attach(
        to content: Content, from push: OpenedPush, timeout: TimeInterval
    ) async throws(PushCryptError) -> Content? { nil }
}
