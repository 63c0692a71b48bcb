/// The service that delivers pushes to a device, and that has issued its token.
///
/// A device token belongs to one carrier. The proof of possession binds both.
public struct Carrier: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name, such as `apns`.
    public let rawValue: String

    /// Apple Push Notification service itself.
    ///
    /// Its tokens are bytes in hexadecimal digits, and both cases name the same device.
    public static let apns = Carrier(rawValue: "apns")

    /// Creates a carrier from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }

    /// Returns a device token as servers store it: in lowercase for APNs, otherwise unchanged.
    package func stored(_ token: String) -> String { self == .apns ? token.lowercased() : token }
}
