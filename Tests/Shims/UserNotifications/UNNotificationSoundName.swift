/// Stands in for Apple's structure of the same name.
public struct UNNotificationSoundName: RawRepresentable {
    /// The file's name.
    public let rawValue: String

    /// Names a file.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Names a file.
    public init(_ rawValue: String) { self.rawValue = rawValue }
}
