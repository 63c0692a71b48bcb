/// What happens to a Live Activity, by the names that `aps.event` has.
public enum LiveActivityEvent: String, Sendable, Hashable, CaseIterable {
    /// It appears.
    case start
    /// It shows something new.
    case update
    /// It is over.
    case end
}
