public import PushCryptCore

extension Payload {
    /// The alert of a notification: a string, or a dictionary with a title, a subtitle and a body.
    public enum Alert: Hashable, Sendable, Redacted {
        /// A string, which is the body.
        case text(String)
        /// A dictionary.
        case dictionary(AlertText)

        /// The alert as a dictionary.
        var parts: AlertText {
            switch self {
            case .text(let body): AlertText(body: body)
            case .dictionary(let parts): parts
            }
        }
    }

    /// The dictionary of an alert, with a property for each of Apple's keys.
    public struct AlertText: Hashable, Sendable, Redacted {
        /// The title: `title`.
        public var title: String?
        /// The subtitle: `subtitle`.
        public var subtitle: String?
        /// The body: `body`.
        public var body: String?
        /// The image of the app's launch: `launch-image`.
        public var launchImage: String?
        /// The key of the title in the app's string table: `title-loc-key`.
        public var titleLocKey: String?
        /// The arguments of the title: `title-loc-args`.
        public var titleLocArgs: [String]?
        /// The key of the subtitle in the app's string table: `subtitle-loc-key`.
        public var subtitleLocKey: String?
        /// The arguments of the subtitle: `subtitle-loc-args`.
        public var subtitleLocArgs: [String]?
        /// The key of the body in the app's string table: `loc-key`.
        public var locKey: String?
        /// The arguments of the body: `loc-args`.
        public var locArgs: [String]?
        /// The key of a button's title, deprecated: `action-loc-key`.
        public var actionLocKey: String?
        /// The members that no property represents.
        public var other: Payload.UnknownMembers = [:]

        /// Creates the dictionary of an alert.
        public init(title: String? = nil, subtitle: String? = nil, body: String? = nil) {
            self.title = title
            self.subtitle = subtitle
            self.body = body
        }
    }
}

extension Payload.Alert: ExpressibleByStringLiteral {
    /// Creates an alert with a body.
    public init(stringLiteral value: String) { self = .text(value) }

    init?(_ value: JSONValue) throws(PushCryptError) {
        switch value {
        case .string(let body): self = .text(body)
        case .object(let members): self = .dictionary(try Payload.AlertText().reading(members))
        default: return nil
        }
    }

    var value: JSONValue {
        switch self {
        case .text(let body): .string(body)
        case .dictionary(let parts): .object(parts.members)
        }
    }
}

extension Payload.AlertText: PayloadDictionary {
    mutating func code(with coder: inout PayloadCoder) {
        coder.code(.title, &title)
        coder.code(.subtitle, &subtitle)
        coder.code(.body, &body)
        coder.code(.launchImage, &launchImage)
        coder.code(.titleLocKey, &titleLocKey)
        coder.code(.titleLocArgs, &titleLocArgs)
        coder.code(.subtitleLocKey, &subtitleLocKey)
        coder.code(.subtitleLocArgs, &subtitleLocArgs)
        coder.code(.locKey, &locKey)
        coder.code(.locArgs, &locArgs)
        coder.code(.actionLocKey, &actionLocKey)
    }
}
