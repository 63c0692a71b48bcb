package import PushCryptCore

/// A notification as a platform displays it: the platform's content, and the reason for it.
package struct PresentedNotification<Content: Sendable>: Sendable {
    package internal(set) var content: Content
    package let presentation: Presentation
    package let hasText: Bool

    /// The identifiers of notifications that display the same message, and that this one replaces.
    var doubles: [String] = []

    /// A Boolean value that indicates whether the content has a receipt.
    var hasReceipt = false

    package init(content: Content, presentation: Presentation, hasText: Bool) {
        self.content = content
        self.presentation = presentation
        self.hasText = hasText
    }

    package var outcome: NotificationOutcome { NotificationOutcome(presentation) }
}

extension PresentedNotification {
    /// Creates a notification that displays what the opener has returned.
    init<Platform: NotificationPlatform>(
        _ result: NotificationResult, on platform: Platform
    ) where Platform.Content == Content {
        let displaysNothing = result.presentation.isDropped && !result.content.hasText
        let content = displaysNothing ? platform.emptyContent : platform.content(for: result.content)
        self.init(content: content, presentation: result.presentation, hasText: result.content.hasText)
    }

    /// Creates a notification that displays the platform's own content, which the app may have changed.
    init<Platform: NotificationPlatform>(
        _ content: Content, as presentation: Presentation, on platform: Platform
    ) where Platform.Content == Content {
        self.init(content: content, presentation: presentation, hasText: platform.read(content).hasText)
    }
}

extension PresentedNotification: DeliverableContent {
    package var hasOpenedMessage: Bool { presentation.push != nil }
    package var isDropped: Bool { presentation.isDropped }
    package var needsDeliveredList: Bool { presentation.withdrawal != nil || presentation.isCopy }

    package func failing(because reason: PushCryptError) -> PresentedNotification {
        guard presentation.failure != nil else { return self }
        return PresentedNotification(content: content, presentation: .fallback(reason), hasText: hasText)
    }
}

extension PresentedNotification: CustomStringConvertible, Redacted {
    /// The description of the opened message or of the failure.
    package var description: String { outcome.description }
}
