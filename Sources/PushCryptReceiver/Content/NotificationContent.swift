internal import PushCryptCore
public import PushCryptPayload

/// A notification's text, and the other properties of `UNNotificationContent` that the payload
/// sets.
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
    public var badge: Int?
    /// The sound; `nil` is silent.
    public var sound: NotificationSound?
    /// The identifier of the group in Notification Center; may be empty.
    public var threadIdentifier = ""
    /// The identifier of the category, which has the actions; may be empty.
    public var categoryIdentifier = ""
    /// The identifier of the window that a tap opens; `nil` lets the system choose.
    public var targetContentIdentifier: String?
    /// The interruption level.
    public var interruptionLevel = InterruptionLevel.active
    /// The rank in the summary, from 0 to 1.
    public var relevanceScore = 0.0
    /// The criteria for Focus filters; `nil` if the notification has none.
    public var filterCriteria: String?
    /// The name of the launch image, which macOS doesn't use; may be empty.
    public var launchImageName = ""
    /// The original payload for `userInfo`; `nil` leaves the delivered dictionary.
    ///
    /// The delivered dictionary of a sealed push is the sealed payload. With a carrier other than
    /// APNs, the original payload has the carrier's own members too, which aren't authenticated:
    /// ``Carrier`` lists them.
    public var originalPayload: [String: JSONValue]?

    /// A Boolean value that indicates whether `userInfo` loses the sealed value.
    package internal(set) var losesSealedValue = false

    /// A Boolean value that indicates whether `userInfo` keeps all delivered members, because the
    /// app accepts payloads that aren't sealed.
    package internal(set) var keepsDeliveredMembers = false

    /// The receipt for `userInfo`; `nil` leaves none there.
    package internal(set) var receipt: String?

    /// Creates content with text.
    public init(title: String = "", subtitle: String = "", body: String = "") {
        self.title = title
        self.subtitle = subtitle
        self.body = body
    }

    /// A Boolean value that indicates whether there is any text; without it, the system displays
    /// the payload.
    package var hasText: Bool { !(title.isEmpty && subtitle.isEmpty && body.isEmpty) }

    /// Returns a Boolean value that indicates whether other content has the same title, subtitle
    /// and body.
    func hasTexts(of other: NotificationContent) -> Bool {
        title == other.title && subtitle == other.subtitle && body == other.body
    }

    /// The same content without a sound and a badge, in the lowest interruption level, for a
    /// notification that mustn't alert the user again.
    var silent: NotificationContent {
        var content = self
        content.sound = nil
        content.badge = nil
        content.interruptionLevel = .passive
        return content
    }
}

extension NotificationContent: CustomStringConvertible, Redacted {
    /// The lengths of the title, the subtitle and the body.
    public var description: String {
        "NotificationContent with \(title.count), \(subtitle.count) and \(body.count) characters"
    }
}
