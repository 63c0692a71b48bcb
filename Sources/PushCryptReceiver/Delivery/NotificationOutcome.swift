public import PushCryptCore

/// The reason for the displayed content: the opened message, a failure, or neither for an allowed payload that isn't
/// sealed.
public struct NotificationOutcome: Sendable, CustomStringConvertible {
    /// The opened message; `nil` if the message wasn't opened.
    public let push: OpenedPush?

    /// The reason for the fallback; `nil` if the fallback isn't displayed.
    public let failure: PushCryptError?

    /// A Boolean value that indicates whether the message isn't displayed: the app has dropped it, it's withdrawn or
    /// replayed, or it's a withdrawal.
    public let isDropped: Bool

    /// A Boolean value that indicates whether the message was opened within the last hour already, so that its text is
    /// displayed again, silently.
    public let isRepeated: Bool

    package init(_ presentation: Presentation) {
        push = presentation.push
        failure = presentation.failure
        isDropped = presentation.isDropped
        isRepeated = presentation.isRepeated
    }

    /// The description of the opened message or of the failure.
    public var description: String {
        let prefix = isDropped ? "not displayed: " : isRepeated ? "repeated: " : ""
        return prefix + (push?.description ?? failure?.description ?? "not sealed")
    }
}
