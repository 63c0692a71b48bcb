/// The interruption level of a notification, by its name in `aps.interruption-level`.
public enum InterruptionLevel: String, Sendable, Hashable, CaseIterable {
    /// A notification without light or sound.
    case passive
    /// A normal notification.
    case active
    /// A notification that breaks through a Focus.
    case timeSensitive = "time-sensitive"
    /// A notification that also ignores the mute switch, with Apple's permission.
    case critical
}
