/// Codes of a notification service extension.
extension PushCryptError.Code {
    /// The deadline of the receiver passed before the message was open.
    public static let deadlinePassed = Self(rawValue: "deadline-passed")

    /// The system ended the time of the extension before the message was open.
    public static let timeExpired = Self(rawValue: "time-expired")

    /// The customization by the app failed; the opened content was displayed without it.
    public static let customizationFailed = Self(rawValue: "customization-failed")

    /// The delivery log couldn't be written; the notification was displayed.
    public static let deliveryLogUnavailable = Self(rawValue: "delivery-log-unavailable")

    /// The code of an app's own store or guard that isn't a short word of lower-case letters,
    /// digits and hyphens, in a delivery log.
    public static let other = Self(rawValue: "other")
}
