public import PushCryptCore

extension Payload {
    /// The dictionary `aps`, with a property for each of Apple's keys; dates are seconds since
    /// 1970-01-01 UTC.
    public struct APS: Hashable, Sendable, Redacted {
        /// The alert: `alert`.
        public var alert: Alert?
        /// The number on the app's icon, which 0 removes: `badge`.
        public var badge: Int?
        /// The sound: `sound`.
        public var sound: Sound?
        /// The identifier of the notification's group: `thread-id`.
        public var threadID: String?
        /// The category, which selects actions and a content extension: `category`.
        public var category: String?
        /// The number 1 for a background push: `content-available`.
        public var contentAvailable: Int?
        /// The number 1 for a notification service extension, set by the sealer: `mutable-content`.
        public var mutableContent: Int?
        /// The identifier of the window: `target-content-id`.
        public var targetContentID: String?
        /// The interruption level: `interruption-level`.
        public var interruptionLevel: InterruptionLevel?
        /// The rank in the summary, from 0 to 1, or among Live Activities, any number:
        /// `relevance-score`.
        public var relevanceScore: Double?
        /// The criteria of a Focus filter: `filter-criteria`.
        public var filterCriteria: String?
        /// The date from which a Live Activity is out of date: `stale-date`.
        public var staleDate: Double?
        /// The state of a Live Activity: `content-state`.
        public var contentState: [String: JSONValue]?
        /// The date of an update of a Live Activity: `timestamp`.
        public var timestamp: Double?
        /// The event of a Live Activity: `event`.
        public var event: LiveActivityEvent?
        /// The date at which an ended Live Activity disappears: `dismissal-date`.
        public var dismissalDate: Double?
        /// The type of a Live Activity's attributes: `attributes-type`.
        public var attributesType: String?
        /// The attributes of a new Live Activity: `attributes`.
        public var attributes: [String: JSONValue]?
        /// The number 1 if a new Live Activity gets a token for its updates: `input-push-token`.
        public var inputPushToken: Int?
        /// The channel with the updates of a new Live Activity, in base64: `input-push-channel`.
        public var inputPushChannel: String?
        /// The members that no property represents.
        public var other: Payload.UnknownMembers = [:]

        /// Creates an empty dictionary.
        public init() {}
    }
}

extension Payload.APS: PayloadDictionary {
    mutating func code(with coder: inout PayloadCoder) {
        coder.code(.alert, &alert, read: Payload.Alert.init, write: \.value)
        coder.code(.badge, &badge)
        coder.code(.sound, &sound, read: Payload.Sound.init, write: \.value)
        coder.code(.threadID, &threadID)
        coder.code(.category, &category)
        coder.code(.contentAvailable, &contentAvailable)
        coder.code(.mutableContent, &mutableContent)
        coder.code(.targetContentID, &targetContentID)
        coder.code(.interruptionLevel, name: &interruptionLevel)
        coder.code(.relevanceScore, &relevanceScore)
        coder.code(.filterCriteria, &filterCriteria)
        coder.code(.staleDate, &staleDate)
        coder.code(.contentState, &contentState)
        coder.code(.timestamp, &timestamp)
        coder.code(.event, name: &event)
        coder.code(.dismissalDate, &dismissalDate)
        coder.code(.attributesType, &attributesType)
        coder.code(.attributes, &attributes)
        coder.code(.inputPushToken, &inputPushToken)
        coder.code(.inputPushChannel, &inputPushChannel)
    }
}
