/// The purpose of a message.
///
/// The sender seals the kind that belongs to the push type. A receiver opens only the kinds that fit the push at hand, so
/// that a server's alert can't act as its background push:
///
/// ```swift
/// let push = try opener.open(userInfo: userInfo, as: [.background])
/// ```
public struct MessageKind: Sendable, Hashable {
    package let rawValue: UInt8

    private let name: String

    private init(_ rawValue: UInt8, _ name: String) {
        self.rawValue = rawValue
        self.name = name
    }

    /// The payload of an alert push.
    public static let notification = MessageKind(1, "notification")
    /// The payload of a background push.
    public static let background = MessageKind(2, "background")
    /// The payload of a VoIP push, or of an alert push whose extension reports a call.
    public static let voip = MessageKind(3, "voip")
    /// The `content-state` of a Live Activity.
    public static let activityState = MessageKind(4, "activity-state")
    /// The `attributes` of a Live Activity.
    public static let activityAttributes = MessageKind(5, "activity-attributes")
    /// The payload of a location push.
    public static let location = MessageKind(6, "location")
    /// The payload of a push-to-talk push.
    public static let pushToTalk = MessageKind(7, "pushtotalk")
    /// A list of notifications to remove, in an alert push.
    public static let withdrawal = MessageKind(8, "withdrawal")

    /// All kinds, in the order of their numbers from 1.
    package static let all: [MessageKind] = [
        .notification, .background, .voip, .activityState, .activityAttributes, .location, .pushToTalk, .withdrawal,
    ]

    /// Returns the kind with a number, or `nil` if this release doesn't know it.
    package init?(rawValue: UInt8) {
        guard let kind = Self.all.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = kind
    }
}

extension MessageKind: CustomStringConvertible {
    /// The name, such as `activity-state`.
    public var description: String { name }
}
