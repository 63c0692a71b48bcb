/// An event of a Live Activity, by its name in `aps.event`.
public enum LiveActivityEvent: String, Sendable, Hashable, CaseIterable {
    /// The start of the activity.
    case start
    /// A new state.
    case update
    /// The end of the activity.
    case end
}
