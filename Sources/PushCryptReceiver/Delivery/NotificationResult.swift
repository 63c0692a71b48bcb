internal import PushCryptCore

/// The content to display, and the reason for it.
public struct NotificationResult: Sendable {
    /// The content to display, with text, or empty to display nothing.
    public let content: NotificationContent

    package let presentation: Presentation

    package init(content: NotificationContent, presentation: Presentation) {
        self.content = content
        self.presentation = presentation
    }

    /// The reason for the content.
    public var outcome: NotificationOutcome { NotificationOutcome(presentation) }
}

extension NotificationResult: CustomStringConvertible, Redacted {
    /// The lengths of the title, the subtitle and the body, and the description of the opened message or the failure.
    public var description: String { "\(content), \(outcome)" }
}
