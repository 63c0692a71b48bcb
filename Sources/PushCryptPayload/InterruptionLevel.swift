/// The interruption level of a notification, by its name in `aps.interruption-level`
/// (https://developer.apple.com/documentation/usernotifications/unnotificationinterruptionlevel).
public struct InterruptionLevel: RawRepresentable, Sendable, Hashable {
    /// A notification without light or sound.
    public static let passive = Self("passive")
    /// A normal notification.
    public static let active = Self("active")
    /// A notification that breaks through a Focus.
    public static let timeSensitive = Self("time-sensitive")
    /// A notification that ignores a Focus and the mute switch, with Apple's permission.
    public static let critical = Self("critical")

    /// All levels.
    public static let allCases: [Self] = [.passive, .active, .timeSensitive, .critical]

    /// The name in `aps.interruption-level`.
    public let rawValue: String

    /// Creates a level from its name, or returns `nil` if the name isn't known.
    public init?(rawValue: String) {
        guard let level = Self.allCases.first(where: { $0.rawValue == rawValue }) else {
            return nil
        }
        self = level
    }

    private init(_ name: String) {
        rawValue = name
    }
}
