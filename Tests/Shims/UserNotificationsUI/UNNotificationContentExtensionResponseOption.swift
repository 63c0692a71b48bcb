/// Stands in for Apple's enumeration of the same name.
public enum UNNotificationContentExtensionResponseOption: UInt {
    /// Stands in for Apple's case of the same name.
    case doNotDismiss
    /// Stands in for Apple's case of the same name.
    case dismiss
    /// Stands in for Apple's case of the same name.
    case dismissAndForwardAction
}
