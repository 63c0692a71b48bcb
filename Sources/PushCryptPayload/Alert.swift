internal import PushCryptCore

extension Payload {
    /// What is shown: `aps.alert`, a string or a dictionary.
    public enum Alert: Hashable, Sendable {
        /// A string, which is the body.
        case text(String)
        /// A dictionary.
        case dictionary(AlertText)

        /// The parts of the text, whichever of the two it is.
        public var parts: AlertText {
            switch self {
            case .text(let body): AlertText(body: body)
            case .dictionary(let parts): parts
            }
        }

        init?(_ value: JSONValue) throws(PushCryptError) {
            switch value {
            case .string(let body): self = .text(body)
            case .object(let members): self = .dictionary(try AlertText(members))
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

    /// The dictionary that `aps.alert` can be, by the keys of Apple's table.
    public struct AlertText: Hashable, Sendable {
        /// The first line: `title`.
        public var title: String?
        /// The second line: `subtitle`.
        public var subtitle: String?
        /// The text: `body`.
        public var body: String?
        /// The picture that the app shows when it is launched by the notification: `launch-image`.
        public var launchImage: String?
        /// The title's key in the app's string table: `title-loc-key`.
        public var titleLocKey: String?
        /// What stands for the `%@` in the title: `title-loc-args`.
        public var titleLocArgs: [String]?
        /// The subtitle's key in the app's string table: `subtitle-loc-key`.
        public var subtitleLocKey: String?
        /// What stands for the `%@` in the subtitle: `subtitle-loc-args`.
        public var subtitleLocArgs: [String]?
        /// The body's key in the app's string table: `loc-key`.
        public var locKey: String?
        /// What stands for the `%@` in the body: `loc-args`.
        public var locArgs: [String]?
        /// The key of an old button: `action-loc-key`, deprecated.
        public var actionLocKey: String?
        /// Keys without a property, `null`, and dictionaries in the place of a text, as Live Activities have them.
        public var other: [String: JSONValue] = [:]

        /// Makes the dictionary of a text.
        ///
        /// - Parameters:
        ///   - title: the first line.
        ///   - subtitle: the second line.
        ///   - body: the text.
        public init(title: String? = nil, subtitle: String? = nil, body: String? = nil) {
            self.title = title
            self.subtitle = subtitle
            self.body = body
        }

        init(_ object: [String: JSONValue]) throws(PushCryptError) {
            var members = PayloadMembers(object)
            title = try members.text(.title)
            subtitle = try members.text(.subtitle)
            body = try members.text(.body)
            launchImage = try members.string(.launchImage)
            titleLocKey = try members.string(.titleLocKey)
            titleLocArgs = try members.strings(.titleLocArgs)
            subtitleLocKey = try members.string(.subtitleLocKey)
            subtitleLocArgs = try members.strings(.subtitleLocArgs)
            locKey = try members.string(.locKey)
            locArgs = try members.strings(.locArgs)
            actionLocKey = try members.string(.actionLocKey)
            other = members.rest
        }

        var members: [String: JSONValue] {
            var writer = PayloadWriter(other)
            writer.put(.title, title)
            writer.put(.subtitle, subtitle)
            writer.put(.body, body)
            writer.put(.launchImage, launchImage)
            writer.put(.titleLocKey, titleLocKey)
            writer.put(.titleLocArgs, titleLocArgs)
            writer.put(.subtitleLocKey, subtitleLocKey)
            writer.put(.subtitleLocArgs, subtitleLocArgs)
            writer.put(.locKey, locKey)
            writer.put(.locArgs, locArgs)
            writer.put(.actionLocKey, actionLocKey)
            return writer.members
        }
    }
}

extension Payload.Alert: ExpressibleByStringLiteral {
    /// A string, which is the body.
    public init(stringLiteral value: String) { self = .text(value) }
}
