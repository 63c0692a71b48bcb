/// How far a notification may interrupt, by the names that `aps.interruption-level` has.
public enum InterruptionLevel: String, Sendable, Hashable, CaseIterable {
    /// Listed, without light or sound.
    case passive
    /// The ordinary way.
    case active
    /// Through a Focus.
    case timeSensitive = "time-sensitive"
    /// Through everything, with Apple's permission.
    case critical
}
