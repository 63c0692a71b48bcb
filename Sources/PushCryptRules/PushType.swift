/// The kinds of push that can be sealed, by the names that the request header `apns-push-type` has for them.
public enum PushType: String, Sendable, Hashable, CaseIterable {
    /// Shown to the user. A notification service extension opens it before it is shown.
    case alert
    /// Wakes the app, which opens it. Nothing is shown.
    case background
    /// An incoming call, opened by the app.
    case voip
    /// Starts, updates or ends a Live Activity. The widget opens what it shows; no extension sees it.
    case liveActivity = "liveactivity"

    /// How many bytes APNs accepts as the payload: 4096, and 5120 for VoIP
    /// (https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification).
    public var maximumPayloadLength: Int {
        switch self {
        case .alert, .background, .liveActivity: 4096
        case .voip: 5120
        }
    }

    /// What the topic ends with, behind the app's bundle id.
    package var topicSuffix: String {
        switch self {
        case .alert, .background: ""
        case .voip: ".voip"
        case .liveActivity: ".push-type.liveactivity"
        }
    }
}
