internal import PushCryptPayload

/// The sound of a notification.
///
/// ```swift
/// var content = NotificationContent(title: "Anna", body: "See you at 8.")
/// content.sound = .normal("message.caf")
/// ```
public struct NotificationSound: Sendable, Hashable {
    /// The delivered sound, because the system's class doesn't reveal its name.
    public static let delivered = NotificationSound(
        name: nil, isCritical: false, volume: nil, isDelivered: true)

    /// Returns a sound file of the app, or the system's sound if the name is `nil`.
    public static func normal(_ name: String?) -> NotificationSound {
        NotificationSound(name: name, isCritical: false, volume: nil, isDelivered: false)
    }

    /// Returns the sound of a critical alert.
    ///
    /// - Parameters:
    ///   - name: A sound file of the app; `nil` is the system's sound.
    ///   - volume: The volume, from 0 to 1; `nil` is the system's volume.
    /// - Returns: The sound.
    public static func critical(_ name: String?, volume: Double?) -> NotificationSound {
        NotificationSound(name: name, isCritical: true, volume: volume, isDelivered: false)
    }

    /// The name of a sound file of the app; `nil` for the system's sound, and for the delivered
    /// one.
    public let name: String?
    /// A Boolean value that indicates whether the sound ignores the mute switch, with Apple's
    /// permission.
    public let isCritical: Bool
    /// The volume of a critical sound, from 0 to 1; `nil` for the system's volume.
    public let volume: Double?
    /// A Boolean value that indicates whether the sound is the delivered one.
    public let isDelivered: Bool

    private init(name: String?, isCritical: Bool, volume: Double?, isDelivered: Bool) {
        self.name = name
        self.isCritical = isCritical
        self.volume = volume
        self.isDelivered = isDelivered
    }

    /// Reads the value of `aps.sound`; returns `nil` if it's neither a string nor a dictionary.
    init?(_ value: JSONValue) {
        let members = value.objectValue
        guard members != nil || value.stringValue != nil else { return nil }
        let name = value.stringValue ?? members?["name"]?.stringValue
        let file = name == "default" ? nil : name
        // The system accepts `true` as well as 1.
        let isCritical = members?["critical"]?.intValue == 1 || members?["critical"] == .bool(true)
        self = isCritical ? .critical(file, volume: members?["volume"]?.doubleValue) : .normal(file)
    }
}
