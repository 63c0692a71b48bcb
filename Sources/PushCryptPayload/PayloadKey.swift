/// Every key that Apple's tables have for a payload: the one list that the typed model, the rules and the documentation
/// are held to
/// (https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification).
///
/// A key that is missing here, because Apple has added it since, is kept and sealed like any other.
package enum PayloadKey: String, Sendable, CaseIterable, CodingKey {
    // In `aps`.
    case alert
    case badge
    case sound
    case threadID = "thread-id"
    case category
    case contentAvailable = "content-available"
    case mutableContent = "mutable-content"
    case targetContentID = "target-content-id"
    case interruptionLevel = "interruption-level"
    case relevanceScore = "relevance-score"
    case filterCriteria = "filter-criteria"
    case staleDate = "stale-date"
    case contentState = "content-state"
    case timestamp
    case event
    case dismissalDate = "dismissal-date"
    case attributesType = "attributes-type"
    case attributes
    // In `aps.alert`.
    case title
    case subtitle
    case body
    case launchImage = "launch-image"
    case titleLocKey = "title-loc-key"
    case titleLocArgs = "title-loc-args"
    case subtitleLocKey = "subtitle-loc-key"
    case subtitleLocArgs = "subtitle-loc-args"
    case locKey = "loc-key"
    case locArgs = "loc-args"
    case actionLocKey = "action-loc-key"
    // In `aps.sound`.
    case critical
    case name
    case volume

    /// The dictionaries that have keys of Apple's.
    package enum Parent: Sendable, CaseIterable {
        case aps, alert, sound

        /// The names that lead to the dictionary.
        package var path: [String] {
            switch self {
            case .aps: ["aps"]
            case .alert: ["aps", "alert"]
            case .sound: ["aps", "sound"]
            }
        }
    }

    /// What a key's value is.
    package enum Kind: String, Sendable {
        case string = "a string"
        case strings = "an array of strings"
        case number = "a number"
        case integer = "an integer"
        case flag = "the number 1"
        case dictionary = "a dictionary"
        case stringOrDictionary = "a string or a dictionary"
    }

    /// Which dictionary the key belongs to.
    package var parent: Parent {
        switch self {
        case .alert, .badge, .sound, .threadID, .category, .contentAvailable, .mutableContent, .targetContentID,
            .interruptionLevel, .relevanceScore, .filterCriteria, .staleDate, .contentState, .timestamp, .event,
            .dismissalDate, .attributesType, .attributes:
            .aps
        case .title, .subtitle, .body, .launchImage, .titleLocKey, .titleLocArgs, .subtitleLocKey, .subtitleLocArgs,
            .locKey, .locArgs, .actionLocKey:
            .alert
        case .critical, .name, .volume:
            .sound
        }
    }

    /// What the key's value is.
    package var kind: Kind {
        switch self {
        case .alert, .sound: .stringOrDictionary
        case .badge: .integer
        case .contentAvailable, .mutableContent, .critical: .flag
        case .relevanceScore, .volume, .staleDate, .timestamp, .dismissalDate: .number
        case .contentState, .attributes: .dictionary
        case .titleLocArgs, .subtitleLocArgs, .locArgs: .strings
        case .threadID, .category, .targetContentID, .interruptionLevel, .filterCriteria, .event, .attributesType,
            .title, .subtitle, .body, .launchImage, .titleLocKey, .subtitleLocKey, .locKey, .actionLocKey, .name:
            .string
        }
    }

    /// Keys of Apple's that are in none of the tables, or only in those of old, or belong to pushes of other kinds; no
    /// type is known for them here.
    package static func isOther(_ name: String, in parent: Parent) -> Bool {
        switch parent {
        case .aps:
            ["input-push-token", "input-push-channel", "content-changed", "url-args", "topic-id"].contains(name)
        case .alert:
            // `sound` stands in the alert of a Live Activity; `action` is Safari's.
            ["summary-arg", "summary-arg-count", "sound", "action", "actions"].contains(name)
        case .sound:
            false
        }
    }

    /// The names that lead to the key from the top of the payload.
    package var path: [String] { parent.path + [rawValue] }
}
