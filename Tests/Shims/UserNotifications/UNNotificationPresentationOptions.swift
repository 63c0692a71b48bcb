/// Stands in for Apple's options of the same name, without their values.
public struct UNNotificationPresentationOptions: OptionSet {
    /// Stands in for Apple's property of the same name.
    public let rawValue: UInt

    /// Stands in for Apple's initializer of the same name.
    public init(rawValue: UInt) { self.rawValue = rawValue }
}
