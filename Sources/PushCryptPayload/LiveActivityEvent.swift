/// An event of a Live Activity, by its name in `aps.event`
/// (https://developer.apple.com/documentation/activitykit).
public struct LiveActivityEvent: RawRepresentable, Sendable, Hashable {
    /// The start of the activity.
    public static let start = Self("start")
    /// A new state.
    public static let update = Self("update")
    /// The end of the activity.
    public static let end = Self("end")

    /// All events.
    public static let allCases: [Self] = [.start, .update, .end]

    /// The name in `aps.event`.
    public let rawValue: String

    /// Creates an event from its name, or returns `nil` if the name isn't known.
    public init?(rawValue: String) {
        guard let event = Self.allCases.first(where: { $0.rawValue == rawValue }) else {
            return nil
        }
        self = event
    }

    private init(_ name: String) {
        rawValue = name
    }
}
