/// The platform of a handler without a system: the content is a ``NotificationContent``.
package struct NeutralPlatform: NotificationPlatform {
    let customization: NotificationHandler.Customization?
    package let deliveredList: (any DeliveredList)?

    package init(customization: NotificationHandler.Customization?, deliveredList: (any DeliveredList)? = nil) {
        self.customization = customization
        self.deliveredList = deliveredList
    }

    package var hasSteps: Bool { customization != nil }

    package var emptyContent: NotificationContent { NotificationContent() }

    package func content(for content: NotificationContent) -> NotificationContent { content }

    package func read(_ content: NotificationContent) -> NotificationContent { content }

    package func content(_ content: NotificationContent, withBadge badge: Int) -> NotificationContent {
        var counted = content
        counted.badge = badge
        return counted
    }

    package func customize(_ draft: NotificationDraft<NeutralPlatform>) async throws -> NotificationContent {
        guard let customization else { return draft.content }
        return try await customization(draft.content, draft.push)
    }
}
