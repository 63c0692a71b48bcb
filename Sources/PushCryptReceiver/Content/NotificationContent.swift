public import PushCryptPayload

/// A notification's content: the properties of `UNNotificationContent` as a plain value.
///
/// ```swift
/// var content = NotificationContent(title: "Anna", body: "See you at 8.")
/// content.threadIdentifier = "chat-42"
/// content.sound = .standard
/// ```
public struct NotificationContent: Sendable, Hashable {
    /// The title; may be empty.
    public var title: String
    /// The subtitle; may be empty.
    public var subtitle: String
    /// The body; may be empty.
    public var body: String
    /// The number for the app's icon; `nil` leaves the number unchanged.
    public var badge: Int?
    /// The sound; `nil` leaves the delivered one.
    public var sound: NotificationSound?
    /// The identifier that groups notifications.
    public var threadIdentifier: String
    /// The category, which selects actions and a content extension.
    public var categoryIdentifier: String
    /// The identifier of the window that the notification opens.
    public var targetContentIdentifier: String?
    /// The interruption level.
    public var interruptionLevel: InterruptionLevel
    /// The rank in the notification summary, from 0 to 1.
    public var relevanceScore: Double
    /// The criteria that a Focus filter evaluates.
    public var filterCriteria: String?
    /// The launch image of the app.
    public var launchImageName: String
    /// The original payload for `userInfo`; `nil` leaves the delivered dictionary, which is still sealed if it was sealed.
    package var originalPayload: [String: JSONValue]?

    /// Creates content with text.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - subtitle: The subtitle.
    ///   - body: The body.
    public init(title: String = "", subtitle: String = "", body: String = "") {
        self.title = title
        self.subtitle = subtitle
        self.body = body
        threadIdentifier = ""
        categoryIdentifier = ""
        interruptionLevel = .active
        relevanceScore = 0
        launchImageName = ""
    }

    /// A Boolean value that indicates whether there is any text.
    ///
    /// Without text, the system ignores the extension's content and displays the delivered payload.
    package var hasText: Bool { !(title.isEmpty && subtitle.isEmpty && body.isEmpty) }
}

extension NotificationContent: CustomStringConvertible, Redacted {
    /// The lengths of the texts.
    public var description: String {
        "NotificationContent with \(title.count), \(subtitle.count) and \(body.count) characters"
    }
}

/// The sound of a notification.
public enum NotificationSound: Sendable, Hashable {
    /// The system's sound.
    case standard
    /// A sound file of the app.
    case named(String)
    /// The system's sound for critical alerts, with a volume from 0 to 1; `nil` is the system's volume.
    case standardCritical(volume: Double?)
    /// A sound file of the app as a critical alert, with a volume from 0 to 1; `nil` is the system's volume.
    case criticalNamed(String, volume: Double?)

    /// Reads the value of `aps.sound`; returns `nil` if it's neither a string nor a dictionary.
    init?(_ value: JSONValue) {
        if let name = value.stringValue {
            self = name == "default" ? .standard : .named(name)
            return
        }
        guard let members = value.objectValue else { return nil }
        let name = members["name"]?.stringValue ?? "default"
        // The system accepts `true` as well as 1.
        guard members["critical"]?.intValue == 1 || members["critical"] == .bool(true) else {
            self = name == "default" ? .standard : .named(name)
            return
        }
        let volume = members["volume"]?.doubleValue
        self = name == "default" ? .standardCritical(volume: volume) : .criticalNamed(name, volume: volume)
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

    /// The text `(Encrypted)`.
    public static let standard = FallbackText("(Encrypted)")

    /// Creates a fallback with a text in the user's language.
    ///
    /// - Parameter body: The text. An empty text becomes `(Encrypted)`, because the system ignores content without text.
    public init(_ body: String) {
        self.body = body.isEmpty ? "(Encrypted)" : body
    }

    /// Creates a fallback with a text of a string table.
    ///
    /// - Parameters:
    ///   - key: The key of the text. If the table doesn't have it, the text is `(Encrypted)`.
    ///   - strings: The string table.
    public init(key: String, in strings: any StringTable) {
        self.init(strings.string(forKey: key) ?? "")
    }
}
