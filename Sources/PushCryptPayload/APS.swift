internal import PushCryptCore

extension Payload {
    /// What a payload has for the system: the dictionary `aps`, by the keys of Apple's tables.
    ///
    /// Times are seconds since 1970-01-01 UTC, as Apple has them there.
    public struct APS: Hashable, Sendable {
        /// What is shown: `alert`.
        public var alert: Alert?
        /// The number for the app's icon: `badge`; 0 removes it.
        public var badge: Int?
        /// What is heard: `sound`.
        public var sound: Sound?
        /// What it is grouped by: `thread-id`.
        public var threadID: String?
        /// Which actions and which content extension it has: `category`.
        public var category: String?
        /// 1 for a background push: `content-available`.
        public var contentAvailable: Int?
        /// 1 to run the notification service extension: `mutable-content`.
        ///
        /// Sealing sets it where it is needed.
        public var mutableContent: Int?
        /// Which window it is for: `target-content-id`.
        public var targetContentID: String?
        /// How far it may interrupt: `interruption-level`.
        public var interruptionLevel: InterruptionLevel?
        /// Where it stands in the summary, from 0 to 1; among Live Activities any number: `relevance-score`.
        public var relevanceScore: Double?
        /// Which Focus lets it through: `filter-criteria`.
        public var filterCriteria: String?
        /// When a Live Activity is out of date: `stale-date`.
        public var staleDate: Double?
        /// What a Live Activity shows: `content-state`.
        public var contentState: [String: JSONValue]?
        /// When the update of a Live Activity was sent: `timestamp`.
        public var timestamp: Double?
        /// What happens to a Live Activity: `event`.
        public var event: LiveActivityEvent?
        /// When an ended Live Activity goes: `dismissal-date`.
        public var dismissalDate: Double?
        /// Which type the attributes of a Live Activity have: `attributes-type`.
        public var attributesType: String?
        /// What a Live Activity starts with, and keeps: `attributes`.
        public var attributes: [String: JSONValue]?
        /// Keys without a property, and values that a property cannot hold: `null`, `true` for 1, numbers of many digits, and
        /// names that Apple has added.
        public var other: [String: JSONValue] = [:]

        /// Makes an empty dictionary.
        public init() {}

        init(_ object: [String: JSONValue]) throws(PushCryptError) {
            var members = PayloadMembers(object)
            alert = try members.take(.alert) { (value) throws(PushCryptError) in try Alert(value) }
            badge = try members.integer(.badge)
            sound = try members.take(.sound) { (value) throws(PushCryptError) in try Sound(value) }
            threadID = try members.string(.threadID)
            category = try members.string(.category)
            contentAvailable = try members.flag(.contentAvailable)
            mutableContent = try members.flag(.mutableContent)
            targetContentID = try members.string(.targetContentID)
            interruptionLevel = try members.takeName(.interruptionLevel)
            relevanceScore = try members.number(.relevanceScore)
            filterCriteria = try members.string(.filterCriteria)
            staleDate = try members.number(.staleDate)
            contentState = try members.object(.contentState)
            timestamp = try members.number(.timestamp)
            event = try members.takeName(.event)
            dismissalDate = try members.number(.dismissalDate)
            attributesType = try members.string(.attributesType)
            attributes = try members.object(.attributes)
            other = members.rest
        }

        var members: [String: JSONValue] {
            var writer = PayloadWriter(other)
            writer.put(.alert, alert?.value)
            writer.put(.badge, badge)
            writer.put(.sound, sound?.value)
            writer.put(.threadID, threadID)
            writer.put(.category, category)
            writer.put(.contentAvailable, contentAvailable)
            writer.put(.mutableContent, mutableContent)
            writer.put(.targetContentID, targetContentID)
            writer.put(.interruptionLevel, interruptionLevel?.rawValue)
            writer.put(.relevanceScore, relevanceScore)
            writer.put(.filterCriteria, filterCriteria)
            writer.put(.staleDate, staleDate)
            writer.put(.contentState, contentState)
            writer.put(.timestamp, timestamp)
            writer.put(.event, event?.rawValue)
            writer.put(.dismissalDate, dismissalDate)
            writer.put(.attributesType, attributesType)
            writer.put(.attributes, attributes)
            return writer.members
        }
    }
}
