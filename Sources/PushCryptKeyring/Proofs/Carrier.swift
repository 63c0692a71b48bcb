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

    /// Firebase Cloud Messaging to an iPhone; its token is a registration token.
    ///
    /// Source: Firebase, "projects.messages" of the HTTP v1 API.
    public static let firebase = Carrier(rawValue: "firebase")

    /// Firebase Cloud Messaging to an Android device; its token is a registration token.
    public static let firebaseAndroid = Carrier(rawValue: "firebase-android")

    /// Expo's push service; its token has the form `ExponentPushToken[…]`.
    ///
    /// Source: Expo, "Send notifications with the Expo Push Service".
    public static let expo = Carrier(rawValue: "expo")

    /// OneSignal; its token is a subscription ID.
    ///
    /// Source: OneSignal, "Push notification" in the REST API reference.
    public static let oneSignal = Carrier(rawValue: "onesignal")

    /// All carriers that a sealer has the request of.
    public static let all: [Carrier] = [.apns, .firebase, .firebaseAndroid, .expo, .oneSignal]

    /// Creates a carrier from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }

    /// Returns a device token as servers store it: in lowercase for APNs, otherwise unchanged.
    package func stored(_ token: String) -> String { self == .apns ? token.lowercased() : token }
}
