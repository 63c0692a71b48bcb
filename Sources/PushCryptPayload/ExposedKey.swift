/// A key of `aps` that stays readable beside the sealed payload.
///
/// Apple and other servers can read an exposed value, and it isn't authenticated. Only the
/// fallback, and waking the app, depend on it.
public struct ExposedKey: RawRepresentable, Sendable, Hashable, CaseIterable {
    /// The category, with the actions of the notification and its content extension.
    ///
    /// It reveals the kind of message. Without it the fallback has no actions.
    public static let category = Self("category")
    /// The group of the notification.
    ///
    /// It reveals which messages belong together, and the identifier itself: replace it with an
    /// opaque one with `OpaqueIDs`. Without it the fallback is in the group of the app.
    public static let threadID = Self("thread-id")
    /// The sound.
    ///
    /// It reveals the meaning of the sound. Without it the fallback is silent.
    public static let sound = Self("sound")
    /// The number on the app's icon.
    ///
    /// It reveals the number of unread messages. Without it the fallback keeps the number.
    public static let badge = Self("badge")
    /// The interruption level.
    ///
    /// It reveals the urgency. Without it a Focus or the summary may delay the fallback.
    public static let interruptionLevel = Self("interruption-level")
    /// The rank in the summary.
    ///
    /// It reveals the importance. Without it the fallback is last.
    public static let relevanceScore = Self("relevance-score")
    /// The window of the app.
    ///
    /// It reveals the part of the app. Without it a tap on the fallback opens any window.
    public static let targetContentID = Self("target-content-id")
    /// The Focus filter.
    ///
    /// It reveals the account or area of the user. Without it the system treats the fallback like
    /// any other.
    public static let filterCriteria = Self("filter-criteria")
    /// The flag that wakes the app too.
    ///
    /// It reveals that the app loads something. Without it the system doesn't wake the app, even if
    /// the message opens.
    public static let contentAvailable = Self("content-available")
    /// The alert of a Live Activity; in other pushes, the alert is never readable.
    ///
    /// It reveals the text, or the keys of the app's string table. Without it the system displays
    /// the placeholder, with the sound of the alert.
    public static let alert = Self("alert")

    /// All keys that can stay readable.
    public static let allCases: [Self] = [
        .category, .threadID, .sound, .badge, .interruptionLevel, .relevanceScore,
        .targetContentID, .filterCriteria, .contentAvailable, .alert,
    ]

    /// The keys that can stay readable in an alert push.
    package static let inAlerts = allCases.filter { $0 != .alert }

    /// The name of the key in `aps`.
    public let rawValue: String

    /// Creates a key from its name, or returns `nil` if the key can't stay readable.
    public init?(rawValue: String) {
        guard let key = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = key
    }

    private init(_ name: String) {
        rawValue = name
    }
}
