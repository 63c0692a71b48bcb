internal import PushCryptPayload

/// The part of an opened notification that the device displays, as the user chooses it in the app's settings.
public struct NotificationDisplay: Sendable, Hashable {
    let rawValue: UInt8

    /// The whole content.
    public static let full = NotificationDisplay(unchecked: 1)
    /// The title with a text of the app, such as a sender's name with "New message".
    public static let titleOnly = NotificationDisplay(unchecked: 2)
    /// A text of the app, and nothing of the original.
    public static let nothing = NotificationDisplay(unchecked: 3)

    private init(unchecked rawValue: UInt8) { self.rawValue = rawValue }

    init?(rawValue: UInt8) {
        guard (1...3).contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}

extension NotificationContent {
    /// Returns the part of an opened notification's content to display, with a text of the app instead of the body.
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
