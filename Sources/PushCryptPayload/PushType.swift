package import PushCryptCore

/// The types of push, by their names in the request header `apns-push-type`
/// (https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns).
///
/// The sealer rejects ``widgets``, ``controls``, ``complication``, ``fileProvider`` and ``mdm``,
/// because no extension opens them. `lint` checks their payloads.
public struct PushType: RawRepresentable, Sendable, Hashable {
    /// A push that displays a notification, opened by the notification service extension.
    public static let alert = PushType("alert", .notification)
    /// A push that wakes the app without a notification, opened by the app.
    public static let background = PushType("background", .background)
    /// A push for an incoming call, opened by the app.
    public static let voip = PushType("voip", .voip)
    /// A push that starts, updates or ends a Live Activity, opened by the widget.
    public static let liveActivity = PushType("liveactivity")
    /// A push that asks for the location of the device, opened by the location push service
    /// extension.
    public static let location = PushType("location", .location)
    /// A push about a push-to-talk session, opened by the app.
    public static let pushToTalk = PushType("pushtotalk", .pushToTalk)

    /// A push that reloads widgets, which no extension opens.
    public static let widgets = PushType("widgets")
    /// A push that reloads controls, which no extension opens.
    public static let controls = PushType("controls")
    /// A push for a watchOS complication, which no extension opens.
    public static let complication = PushType("complication")
    /// A push for a file provider extension, which no extension opens.
    public static let fileProvider = PushType("fileprovider")
    /// A push that asks a managed device to contact its server, which no extension opens.
    public static let mdm = PushType("mdm")

    /// The content of an alert push that removes notifications; APNs has no such type.
    package static let withdrawal = PushType("withdrawal", .withdrawal)

    /// The content of a background or alert push that asks a device for a proof; APNs has no such
    /// type.
    package static let challenge = PushType("challenge", .challenge)

    /// The types that can be sealed.
    public static let sealable: [PushType] = [
        .alert, .background, .voip, .liveActivity, .location, .pushToTalk,
    ]

    /// All types.
    public static let allCases =
        sealable + [.widgets, .controls, .complication, .fileProvider, .mdm]

    /// The name in the request header.
    public let rawValue: String

    /// The kind of the message that is sealed for the whole payload; `nil` if the payload is sealed
    /// in parts or not at all.
    package let messageKind: MessageKind?

    /// Creates a type from its name in the request header, or returns `nil` if the name isn't
    /// known.
    public init?(rawValue: String) {
        guard let type = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = type
    }

    private init(_ name: String, _ kind: MessageKind? = nil) {
        rawValue = name
        messageKind = kind
    }

    /// The maximum length of a payload, in bytes: 5120 for VoIP, otherwise 4096
    /// (https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification).
    public var maximumPayloadLength: Int { self == .voip ? 5120 : 4096 }

    /// The kinds of messages that a receiver accepts in a push of this type.
    package var acceptedKinds: [MessageKind] {
        switch self {
        case .alert: MessageKind.alert
        case .background: [.background, .challenge]
        default: messageKind.map { [$0] } ?? []
        }
    }

    /// Throws `notSealable` if no extension opens this type.
    package func checkSealable() throws(PushCryptError) {
        guard messageKind == nil, self != .liveActivity else { return }
        throw PushCryptError(
            .notSealable, "No extension opens \(rawValue) pushes. Send them unsealed.")
    }

    /// The end of the topic, after the app's bundle ID.
    package var topicSuffix: String {
        switch self {
        case .voip, .complication: ".\(rawValue)"
        case .liveActivity, .widgets, .controls: ".push-type.\(rawValue)"
        case .location: ".location-query"
        case .pushToTalk: ".voip-ptt"
        case .fileProvider: ".pushkit.fileprovider"
        // The topic of MDM is in the subject of the certificate.
        default: ""
        }
    }
}
