package import PushCryptCore

/// The types of push that a sealer supports, by their names in the request header `apns-push-type`.
public struct PushType: RawRepresentable, Sendable, Hashable, CaseIterable {
    /// A push that shows a notification, opened by the notification service extension.
    public static let alert = PushType(name: "alert")
    /// A push that wakes the app without a notification, opened by the app.
    public static let background = PushType(name: "background")
    /// A push for an incoming call, opened by the app.
    public static let voip = PushType(name: "voip")
    /// A push that starts, updates or ends a Live Activity, opened by the widget.
    public static let liveActivity = PushType(name: "liveactivity")

    /// All types.
    public static let allCases: [PushType] = [.alert, .background, .voip, .liveActivity]

    /// The name in the request header.
    public let rawValue: String

    /// Creates a type from its name in the request header, or returns `nil` if the name isn't supported.
    public init?(rawValue: String) {
        self.init(name: rawValue)
        guard Self.allCases.contains(self) else { return nil }
    }

    private init(name: String) { rawValue = name }

    /// The maximum length of a payload, in bytes: 5120 for VoIP, otherwise 4096
    /// (https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification).
    package var maximumPayloadLength: Int { self == .voip ? 5120 : 4096 }

    /// The kind of the message that is sealed for the whole payload.
    package var messageKind: MessageKind {
        switch self {
        case .background: .background
        case .voip: .voip
        default: .notification
        }
    }

    /// The kinds of messages that a receiver accepts in a push of this type.
    package var acceptedKinds: [MessageKind] { self == .alert ? MessageKind.alert : [messageKind] }

    /// The end of the topic, behind the app's bundle ID.
    package var topicSuffix: String {
        switch self {
        case .voip: ".voip"
        case .liveActivity: ".push-type.liveactivity"
        default: ""
        }
    }
}
