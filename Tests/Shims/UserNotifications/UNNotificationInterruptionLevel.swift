/// Stands in for Apple's enumeration of the same name.
public enum UNNotificationInterruptionLevel: UInt {
    /// Stands in for Apple's case of the same name.
    case passive
    /// Stands in for Apple's case of the same name.
    case active
    /// Stands in for Apple's case of the same name.
    case timeSensitive
    /// Stands in for Apple's case of the same name.
    case critical
}
