public import PushCryptCore

/// How it came to the content that is shown.
public enum NotificationOutcome: Sendable {
    /// The message was opened.
    case opened(OpenedPush)
    /// The payload was not sealed, and the app allows such payloads.
    case plaintext
    /// The message was not opened, for this reason.
    case fallback(PushCryptError)

    /// Why the fallback is shown; `nil` where it is not.
    public var failure: PushCryptError? {
        if case .fallback(let error) = self { error } else { nil }
    }
}

/// Content to show, and how it came to it.
public struct NotificationResult: Sendable {
    /// What to show.
    ///
    /// It always has text.
    public let content: NotificationContent
    /// How it came to it.
    public let outcome: NotificationOutcome
    /// The platform's own object for the content, where a step of the app has made it: it may have what ``content`` cannot
    /// say.
    package let native: (any Sendable)?

    /// Puts the two together.
    ///
    /// - Parameters:
    ///   - content: what to show; with text.
    ///   - outcome: how it came to it.
    public init(content: NotificationContent, outcome: NotificationOutcome) {
        self.init(content: content, outcome: outcome, native: nil)
    }

    package init(content: NotificationContent, outcome: NotificationOutcome, native: (any Sendable)?) {
        self.content = content
        self.outcome = outcome
        self.native = native
    }
}

extension NotificationResult: CustomStringConvertible, CustomReflectable {
    /// What is said of the content and of the outcome, nothing of what is shown.
    public var description: String { "\(content), \(outcome)" }

    /// What shows nothing by itself, and not the platform's own object, which might.
    public var customMirror: Mirror { Mirror(self, children: ["content": content, "outcome": outcome]) }
}
