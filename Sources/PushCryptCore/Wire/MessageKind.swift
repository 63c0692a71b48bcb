/// The purpose of a message.
///
/// The sender seals the kind that belongs to the push type. A receiver opens only the kinds that
/// fit the push at hand, so that a server's alert can't act as its background push:
///
/// ```swift
/// let push = try opener.open(userInfo: userInfo, as: [.background])
/// ```
public struct MessageKind: Sendable, Hashable, CustomStringConvertible {
    package let rawValue: UInt8

    /// The payload of an alert push.
    public static let notification = MessageKind(unchecked: 1)
    /// The payload of a background push.
    public static let background = MessageKind(unchecked: 2)
    /// The payload of a VoIP push, or of an alert push whose extension reports a call.
    public static let voip = MessageKind(unchecked: 3)
    /// The `content-state` of a Live Activity.
    public static let activityState = MessageKind(unchecked: 4)
    /// The `attributes` of a Live Activity.
    public static let activityAttributes = MessageKind(unchecked: 5)
    /// The payload of a location push.
    public static let location = MessageKind(unchecked: 6)
    /// The payload of a push-to-talk push.
    public static let pushToTalk = MessageKind(unchecked: 7)
    /// A list of notifications to remove, in an alert push.
    public static let withdrawal = MessageKind(unchecked: 8)

    /// A request of the server to prove that a registered key and a device token belong to the same
    /// device, in a background push or an alert push.
    public static let challenge = MessageKind(unchecked: 9)

    /// The kinds of an alert push.
    package static let alert: [MessageKind] = [.notification, .withdrawal, .challenge]

    private static let names = [
        "notification", "background", "voip", "activity-state", "activity-attributes", "location",
        "pushtotalk", "withdrawal", "challenge",
    ]

    /// All kinds, in the order of their numbers from 1.
    package static let all = (1...UInt8(names.count)).map(MessageKind.init(unchecked:))

    private init(unchecked rawValue: UInt8) { self.rawValue = rawValue }

    /// Returns the kind with a number, or `nil` if this release doesn't know it.
    package init?(rawValue: UInt8) {
        guard rawValue >= 1, rawValue <= Self.names.count else { return nil }
        self.rawValue = rawValue
    }

    /// The name, such as `activity-state`.
    public var description: String { Self.names[Int(rawValue) - 1] }
}
