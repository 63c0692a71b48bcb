public import PushCryptCore

/// The result of a push: what the device displays, and why.
///
/// The app's log, the delivery log and the tool use it, too. Its description contains no content.
public struct PushOutcome: Sendable, CustomStringConvertible {
    /// The kind of a result, by its stable name.
    public struct Kind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The name, such as `opened`.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name.
        public var description: String { rawValue }
    }

    /// The kind.
    public let kind: Kind

    /// The opened message; `nil` if no message was opened.
    public internal(set) var push: OpenedPush?

    /// The reason for a fallback, or for the rejection of a replayed message; otherwise `nil`.
    public internal(set) var failure: PushCryptError?

    package init(_ kind: Kind, _ push: OpenedPush? = nil, failure: PushCryptError? = nil) {
        self.kind = kind
        self.push = push
        self.failure = failure
    }

    /// A Boolean value that indicates whether the message isn't displayed: the app has dropped it,
    /// it's withdrawn or replayed, or it's a withdrawal.
    public var isDropped: Bool { [.dropped, .withdrawn, .withdrawal, .replayed].contains(kind) }

    /// A Boolean value that indicates whether the message was opened within the last hour already,
    /// so that nothing alerts the user again.
    public var isRepeated: Bool { kind == .repeated || kind == .kept && failure == nil }

    /// The kind, and the description of the opened message or of the failure.
    public var description: String {
        guard let detail = push?.description ?? failure?.description else { return kind.rawValue }
        return "\(kind): \(detail)"
    }
}

extension PushOutcome.Kind {
    /// The original is displayed.
    public static let opened = Self(rawValue: "opened")
    /// The part of the original is displayed that the user has chosen to see.
    public static let reduced = Self(rawValue: "reduced")
    /// The original is displayed again, silently, because its push came twice within an hour.
    public static let repeated = Self(rawValue: "repeated")
    /// The notification that a copy or an older message would replace is displayed again, silently.
    public static let kept = Self(rawValue: "kept")
    /// The app displays nothing for the message.
    public static let dropped = Self(rawValue: "dropped")
    /// The server has withdrawn the message.
    public static let withdrawn = Self(rawValue: "withdrawn")
    /// The message withdraws other ones.
    public static let withdrawal = Self(rawValue: "withdrawal")
    /// The message is a challenge, which the app answers.
    public static let challenge = Self(rawValue: "challenge")
    /// The message was opened more than an hour ago.
    public static let replayed = Self(rawValue: "replayed")
    /// The payload isn't sealed, and the app allows that.
    public static let unsealed = Self(rawValue: "unsealed")
    /// The message can't be opened, and the app's fallback is displayed.
    public static let fallback = Self(rawValue: "fallback")
}
