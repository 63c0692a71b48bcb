internal import PushCryptCore
public import PushCryptPayload

/// A notification's text, and the other properties of `UNNotificationContent` that the payload sets.
///
/// ```swift
/// var content = NotificationContent(title: "Anna", body: "See you at 8.")
/// content.subtitle = "Dinner"
/// ```
public struct NotificationContent: Sendable, Hashable {
    /// The title; may be empty.
    public var title: String
    /// The subtitle; may be empty.
    public var subtitle: String
    /// The body; may be empty.
    public var body: String
    /// The number for the app's icon; `nil` leaves the number unchanged.
    package var badge: Int?
    /// The sound; `nil` is silent.
    package var sound: NotificationSound?
    package var threadIdentifier = ""
    package var categoryIdentifier = ""
    package var targetContentIdentifier: String?
    package var interruptionLevel = InterruptionLevel.active
    package var relevanceScore = 0.0
    package var filterCriteria: String?
    package var launchImageName = ""
    /// The original payload for `userInfo`; `nil` leaves the delivered dictionary, which is still sealed if it was sealed.
    package var originalPayload: [String: JSONValue]?

    /// Creates content with text.
    public init(title: String = "", subtitle: String = "", body: String = "") {
        self.title = title
        self.subtitle = subtitle
        self.body = body
    }

    /// A Boolean value that indicates whether there is any text; without it, the system displays the payload.
    package var hasText: Bool { !(title.isEmpty && subtitle.isEmpty && body.isEmpty) }

    /// Returns a Boolean value that indicates whether the texts are those of other content.
    func hasTexts(of other: NotificationContent) -> Bool {
        title == other.title && subtitle == other.subtitle && body == other.body
    }
}

extension NotificationContent: CustomStringConvertible, Redacted {
    /// The lengths of the texts.
    public var description: String {
        "NotificationContent with \(title.count), \(subtitle.count) and \(body.count) characters"
    }
}

/// The sound of a notification.
package enum NotificationSound: Sendable, Hashable {
    /// The delivered sound, because the system's class doesn't reveal it.
    case delivered
    /// A sound file of the app; `nil` is the system's sound.
    case normal(String?)
    /// The sound of a critical alert, with a volume from 0 to 1; `nil` is the system's sound or volume.
    case critical(String?, volume: Double?)

    /// Reads the value of `aps.sound`; returns `nil` if it's neither a string nor a dictionary.
    init?(_ value: JSONValue) {
        let members = value.objectValue
        guard members != nil || value.stringValue != nil else { return nil }
        let name = value.stringValue ?? members?["name"]?.stringValue
        let file = name == "default" ? nil : name
        // The system accepts `true` as well as 1.
        let isCritical = members?["critical"]?.intValue == 1 || members?["critical"] == .bool(true)
        self = isCritical ? .critical(file, volume: members?["volume"]?.doubleValue) : .normal(file)
    }
}

/// The app's own texts, which are displayed if a message can't be opened or isn't displayed in full.
///
/// ```swift
/// let texts = FallbackText("New message", locked: "You may have new messages")
/// ```
public struct FallbackText: Sendable, Hashable {
    /// The text if a message can't be opened, never empty.
    package let body: String
    /// The text for messages to removed accounts, never empty.
    let removedAccountBody: String
    /// The text until the device is unlocked for the first time after a restart, never empty.
    let lockedBody: String
    /// The text instead of an original's body, never empty.
    let hiddenBody: String
    /// The text instead of a notification that isn't displayed, never empty.
    let droppedBody: String

    /// The texts `(Encrypted)`, and `(Removed)` for a notification that isn't displayed.
    public static let standard = FallbackText("(Encrypted)")

    /// Creates texts in the user's language.
    ///
    /// - Parameters:
    ///   - body: The text if a message can't be opened. An empty text becomes `(Encrypted)`, because the system ignores
    ///     content without text.
    ///   - removedAccount: The text for messages to accounts that the app has removed; empty displays `body`.
    ///   - locked: The text until the device is unlocked for the first time after a restart; empty displays `body`.
    ///   - hidden: The text instead of an original's body, if the user wants to see less; empty displays `body`.
    ///   - dropped: The text instead of a notification that the app or the server has withdrawn, if the extension must show
    ///     a text; empty displays `(Removed)`.
    public init(
        _ body: String, removedAccount: String = "", locked: String = "", hidden: String = "", dropped: String = ""
    ) {
        self.body = body.isEmpty ? "(Encrypted)" : body
        removedAccountBody = removedAccount.isEmpty ? self.body : removedAccount
        lockedBody = locked.isEmpty ? self.body : locked
        hiddenBody = hidden.isEmpty ? self.body : hidden
        droppedBody = dropped.isEmpty ? "(Removed)" : dropped
    }

    /// Creates a fallback with a text of a string table; `(Encrypted)` if the table doesn't have the key.
    public init(key: String, in strings: any StringTable) { self.init(strings.string(forKey: key) ?? "") }

    /// Returns the text for a failure.
    func text(for code: PushCryptError.Code) -> String {
        switch code {
        case .removedAccount: removedAccountBody
        case .deviceLocked: lockedBody
        default: body
        }
    }

    /// The texts for failures.
    var all: [String] { [body, removedAccountBody, lockedBody] }
}
