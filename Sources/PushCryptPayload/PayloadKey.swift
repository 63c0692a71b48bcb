package import PushCryptCore

/// A key in Apple's tables for payloads
/// (https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification).
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
    case inputPushToken = "input-push-token"
    case inputPushChannel = "input-push-channel"
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

    /// A dictionary with keys that Apple defines.
    package enum Parent: String, Sendable, CaseIterable {
        case aps, alert, sound

        /// The names from the top of the payload to the dictionary.
        package var path: [String] { self == .aps ? ["aps"] : ["aps", rawValue] }
    }

    /// The type of a key's value, in the words of an error.
    package enum Kind: String, Sendable {
        case string = "a string"
        case strings = "an array of strings"
        case number = "a number"
        case integer = "an integer"
        case flag = "the number 1"
        case dictionary = "a dictionary"
        case stringOrDictionary = "a string or a dictionary"
    }

    /// The dictionary that has the key.
    package var parent: Parent {
        switch self {
        case .alert, .badge, .sound, .threadID, .category, .contentAvailable, .mutableContent,
            .targetContentID, .interruptionLevel, .relevanceScore, .filterCriteria, .staleDate,
            .contentState, .timestamp, .event, .dismissalDate, .attributesType, .attributes,
            .inputPushToken, .inputPushChannel:
            .aps
        case .title, .subtitle, .body, .launchImage, .titleLocKey, .titleLocArgs, .subtitleLocKey,
            .subtitleLocArgs, .locKey, .locArgs, .actionLocKey:
            .alert
        case .critical, .name, .volume:
            .sound
        }
    }

    /// The type of the key's value.
    package var kind: Kind {
        switch self {
        case .alert, .sound: .stringOrDictionary
        case .badge: .integer
        case .contentAvailable, .mutableContent, .inputPushToken, .critical: .flag
        case .relevanceScore, .volume, .staleDate, .timestamp, .dismissalDate: .number
        case .contentState, .attributes: .dictionary
        case .titleLocArgs, .subtitleLocArgs, .locArgs: .strings
        case .threadID, .category, .targetContentID, .interruptionLevel, .filterCriteria, .event,
            .attributesType, .inputPushChannel, .title, .subtitle, .body, .launchImage,
            .titleLocKey, .subtitleLocKey, .locKey, .actionLocKey, .name:
            .string
        }
    }

    /// Returns a Boolean value that indicates whether Apple uses a name that its current tables
    /// don't list.
    package static func isOther(_ name: String, in parent: Parent) -> Bool {
        switch parent {
        case .aps:
            ["content-changed", "url-args", "topic-id", "ptt-push-type"].contains(name)
        case .alert:
            // The alert of a Live Activity has `sound`, and Safari's has `action`.
            ["summary-arg", "summary-arg-count", "sound", "action", "actions"].contains(name)
        case .sound:
            false
        }
    }

    /// The names from the top of the payload to the key.
    package var path: [String] { parent.path + [rawValue] }

    /// The keys by the length of their names.
    private static let byLength: [[PayloadKey]] = {
        let longest = allCases.map(\.rawValue.utf8.count).max() ?? 0
        return (0...longest).map { length in allCases.filter { $0.rawValue.utf8.count == length } }
    }()

    /// Finds the key with the name of a member, in any dictionary.
    package init?(_ member: JSONDocument.Value, of document: JSONDocument, in bytes: Span<UInt8>) {
        guard let name = member.name else { return nil }
        // Escapes only make a name longer, and no key that Apple defines needs one.
        let candidates =
            member.nameHasEscapes
            ? Self.allCases : name.count < Self.byLength.count ? Self.byLength[name.count] : []
        for key in candidates where document.isNamed(key.rawValue, member, in: bytes) {
            self = key
            return
        }
        return nil
    }
}
