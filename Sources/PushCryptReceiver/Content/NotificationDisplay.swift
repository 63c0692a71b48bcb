internal import PushCryptPayload

/// The part of an opened notification that the device displays, as the user chooses it in the app's
/// settings.
public struct NotificationDisplay: RawRepresentable, Sendable, Hashable {
    /// The stable name of the choice, such as `title-only`, for the app's settings.
    public let rawValue: String

    /// The whole content.
    public static let full = NotificationDisplay("full")
    /// The title with words of the app, such as a sender's name with "New message".
    public static let titleOnly = NotificationDisplay("title-only")
    /// Words of the app, and nothing of the original.
    public static let nothing = NotificationDisplay("nothing")

    private init(_ name: String) { rawValue = name }

    /// Creates a choice from its name; the result is `nil` for any other text.
    public init?(rawValue: String) {
        guard [.full, .titleOnly, .nothing].contains(Self(rawValue)) else { return nil }
        self.rawValue = rawValue
    }
}

extension NotificationContent {
    /// Returns the part of an opened notification's content to display, with words of the app
    /// instead of the body.
    ///
    /// `userInfo` stays sealed, so that the system's store doesn't contain the original.
    func reduced(to display: NotificationDisplay, _ text: FallbackText) -> NotificationContent {
        guard display != .full else { return self }
        var content = NotificationContent(body: text.hiddenBody)
        content.sound = sound.map { _ in .normal(nil) }
        guard display == .titleOnly else { return content }
        content.title = title
        content.sound = sound
        content.badge = badge
        content.threadIdentifier = threadIdentifier
        content.categoryIdentifier = categoryIdentifier
        content.interruptionLevel = interruptionLevel
        content.relevanceScore = relevanceScore
        return content
    }
}
