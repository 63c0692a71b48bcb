/// Stands in for Apple's structure of the same name.
public struct PKPushType: RawRepresentable {
    /// Stands in for Apple's property of the same name.
    public let rawValue: String

    /// Stands in for Apple's initializer of the same name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Stands in for Apple's constant of the same name.
    public static var voIP: PKPushType { PKPushType(rawValue: "PKPushTypeVoIP") }
}
