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

/// The text that is displayed if a message can't be opened.
///
/// ```swift
/// let fallback = FallbackText("New message")
/// ```
public struct FallbackText: Sendable, Hashable {
    /// The text, never empty.
    package let body: String
    /// The text for messages to removed accounts, never empty.
    package let removedAccountBody: String

    /// The text `(Encrypted)`.
    public static let standard = FallbackText("(Encrypted)")

    /// Creates a fallback with texts in the user's language.
    ///
    /// - Parameters:
    ///   - body: The text. An empty text becomes `(Encrypted)`, because the system ignores content without text.
    ///   - removedAccount: The text for messages to accounts that the app has removed; empty displays `body`.
    public init(_ body: String, removedAccount: String = "") {
        self.body = body.isEmpty ? "(Encrypted)" : body
        removedAccountBody = removedAccount.isEmpty ? self.body : removedAccount
    }

    /// Creates a fallback with a text of a string table; `(Encrypted)` if the table doesn't have the key.
    public init(key: String, in strings: any StringTable) {
        self.init(strings.string(forKey: key) ?? "")
    }
}
