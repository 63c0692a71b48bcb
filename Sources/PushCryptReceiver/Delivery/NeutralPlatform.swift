/// The platform of a handler without a system: the content is a ``NotificationContent``.
package struct NeutralPlatform: NotificationPlatform {
    let customization: NotificationHandler.Customization?
    package let deliveredList: (any DeliveredList)?
    private let sealed: ReceiptSource?
    private let displayed: @Sendable () async -> [DisplayedNotification<NotificationContent>]

    /// Creates the platform of a notification.
    ///
    /// - Parameters:
    ///   - notification: The notification as it was delivered.
    ///   - customization: The app's customization; `nil` changes nothing.
    ///   - deliveredList: The list from which notifications are removed.
    ///   - displayed: Returns the displayed notifications.
    package init(
        _ notification: DeliveredNotification, customization: NotificationHandler.Customization? = nil,
        deliveredList: (any DeliveredList)? = nil,
        displayed: @escaping @Sendable () async -> [DisplayedNotification<NotificationContent>] = { [] }
    ) {
        self.customization = customization
        self.deliveredList = deliveredList
        self.displayed = displayed
        sealed = notification.source
    }

    package var hasSteps: Bool { customization != nil }

    package var emptyContent: NotificationContent { NotificationContent() }

    package func displayedNotifications() async -> [DisplayedNotification<NotificationContent>] { await displayed() }

    package func content(for content: NotificationContent) -> NotificationContent { content }

    package func read(_ content: NotificationContent) -> NotificationContent { content }

    package func source(of content: NotificationContent) -> ReceiptSource? {
        content.originalPayload.map { .opened(.object($0)) } ?? (content.losesSealedValue ? nil : sealed)
    }

    package func content(_ content: NotificationContent, withBadge badge: Int) -> NotificationContent {
        var counted = content
        counted.badge = badge
        return counted
    }

    package func content(_ content: NotificationContent, withReceipt receipt: String?) -> NotificationContent {
        var proved = content
        proved.receipt = receipt
        return proved
    }

    package func silent(_ content: NotificationContent) -> NotificationContent { content.silent }

    package func customize(_ draft: NotificationDraft<NeutralPlatform>) async throws -> NotificationContent {
        guard let customization else { return draft.content }
        return try await customization(draft.content, draft.push)
    }
}
