public import PushCryptPayload

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A notification's content: the properties of the system's `UNNotificationContent`, by its names, as a plain value.
public struct NotificationContent: Sendable, Hashable {
    /// The first line; empty where there is none.
    public var title: String
    /// The second line; empty where there is none.
    public var subtitle: String
    /// The text; empty where there is none.
    public var body: String
    /// The number for the app's icon; `nil` leaves it.
    public var badge: Int?
    /// The sound; `nil` leaves what was delivered.
    public var sound: NotificationSound?
    /// What the notification is grouped by.
    public var threadIdentifier: String
    /// Which actions and which content extension it has.
    public var categoryIdentifier: String
    /// Which window it is for.
    public var targetContentIdentifier: String?
    /// How far it may interrupt.
    public var interruptionLevel: InterruptionLevel
    /// Where it stands in the summary.
    public var relevanceScore: Double
    /// Which Focus lets it through.
    public var filterCriteria: String?
    /// The picture that the app shows when it is launched by the notification.
    public var launchImageName: String
    /// Pictures and the like.
    public var attachments: [NotificationAttachment]
    /// The custom data.
    public var userInfo: UserInfo

    /// The custom data of a notification.
    public enum UserInfo: Sendable, Hashable {
        /// What the system delivered, untouched; sealed, if it was sealed.
        case asDelivered
        /// The original payload, its `aps` included.
        case original([String: JSONValue])
    }

    /// Makes content with a text and nothing else.
    ///
    /// - Parameters:
    ///   - title: the first line.
    ///   - subtitle: the second line.
    ///   - body: the text.
    public init(title: String = "", subtitle: String = "", body: String = "") {
        self.title = title
        self.subtitle = subtitle
        self.body = body
        threadIdentifier = ""
        categoryIdentifier = ""
        interruptionLevel = .active
        relevanceScore = 0
        launchImageName = ""
        attachments = []
        userInfo = .asDelivered
    }

    /// Whether there is any text.
    ///
    /// The system ignores what an extension makes of a notification where there is none.
    public var hasText: Bool { !(title.isEmpty && subtitle.isEmpty && body.isEmpty) }
}

extension NotificationContent: CustomStringConvertible, CustomReflectable {
    /// How much text there is, and none of it.
    public var description: String {
        "NotificationContent with \(title.count), \(subtitle.count) and \(body.count) characters"
    }

    /// No members, so that `dump` and debug descriptions do not show the content either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension NotificationContent.UserInfo: CustomStringConvertible, CustomReflectable {
    /// Which of the two it is, without the data.
    public var description: String {
        switch self {
        case .asDelivered: "as delivered"
        case .original: "the original payload"
        }
    }

    /// No members, so that `dump` and debug descriptions do not show the content either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A file that belongs to a notification.
public struct NotificationAttachment: Sendable, Hashable {
    /// Its name within the notification; empty to have the system make one up.
    public var identifier: String
    /// Where the file is.
    public var url: URL

    /// Names a file.
    ///
    /// - Parameters:
    ///   - identifier: its name within the notification.
    ///   - url: where the file is.
    public init(identifier: String, url: URL) {
        self.identifier = identifier
        self.url = url
    }
}
