package import Foundation
package import PushCryptCore
package import PushCryptKeyring

/// The system and the app around one request.
package protocol NotificationHost: Sendable {
    // MARK: The app

    /// A Boolean value that indicates whether the app decides, attaches files or customizes
    /// content.
    var hasSteps: Bool { get }

    /// Returns the app's decision about an opened message.
    func shouldShow(_ push: OpenedPush) async throws -> Bool

    /// Returns content with the message's attachments; `nil` if there is nothing to attach.
    func attach(
        to content: any SystemContent, from push: OpenedPush, timeout: TimeInterval
    ) async throws(PushCryptError) -> (any SystemContent)?

    /// Returns content with the app's changes.
    func customize(_ draft: NotificationDraft) async throws -> any SystemContent

    /// Gets an event for the app's log.
    func log(_ event: PushEvent)

    // MARK: The system

    /// The system's list, from which notifications are removed; `nil` if the host has none.
    var list: (any DeliveredList)? { get }

    /// Returns the displayed notifications; empty if the host has no list.
    func displayedNotifications() async -> [DisplayedNotification]

    /// Returns the system's object for content; empty content displays nothing.
    func object(for content: NotificationContent) -> any SystemContent
}

/// The content that the system's handler gets.
package protocol SystemContent: Sendable {
    /// The title, the subtitle, the body, the category and the badge, as they are read back.
    var text: NotificationContent { get }

    /// Returns the sealed text or the opened payload in it; `nil` if it's neither.
    func source(from carrier: Carrier) -> ReceiptSource?

    /// Returns the content with a number for the app's icon, unless that is `nil`, and with or
    /// without a receipt.
    func finished(badge: Int?, receipt: String?) -> any SystemContent

    /// The content to be displayed again without alerting the user.
    var silent: any SystemContent { get }
}

/// An opened notification that the app may change.
package struct NotificationDraft: Sendable {
    /// The opened message.
    package let push: OpenedPush

    /// The opened notification in all its properties, which the system's content doesn't reveal
    /// again.
    let original: NotificationContent

    /// The system's content, with the attachments.
    package internal(set) var content: any SystemContent

    /// The identifier of the request.
    package let identifier: String

    /// Updates the content that is displayed if time runs out before the customization ends.
    package let update: @Sendable (any SystemContent) -> Void
}

/// A notification in the system's list.
package struct DisplayedNotification: Sendable {
    /// The notification as the app reads it.
    let notification: DeliveredNotification
    /// The system's content.
    let content: any SystemContent

    package init(_ notification: DeliveredNotification, content: any SystemContent) {
        self.notification = notification
        self.content = content
    }
}

/// The system's list of delivered notifications.
package protocol DeliveredList: Sendable {
    /// Begins to remove notifications, and returns at once.
    func remove(_ identifiers: [String])

    /// Returns the identifiers of the delivered notifications, after earlier removals.
    func identifiers() async -> Set<String>

    /// Sets the number on the app's icon, and returns when the system has set or rejected it.
    func setBadge(_ count: Int) async
}
