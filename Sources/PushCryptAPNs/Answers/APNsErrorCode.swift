#if APNs
public import PushCryptSender

/// The client's own codes. Apple's reasons have theirs in ``APNsError/Reason/code``.
extension PushCryptError.Code {
    /// The connection to APNs failed before the push was sent.
    public static let noConnection = Self(rawValue: "no-connection")
    /// APNs hasn't answered, and may have accepted the push.
    public static let noAnswer = Self(rawValue: "no-answer")
    /// The task or the client ended before APNs answered.
    public static let cancelled = Self(rawValue: "cancelled")
    /// The push isn't sealed, and the client sends sealed pushes alone.
    public static let unsealed = Self(rawValue: "unsealed")
    /// The device token isn't 16 to 200 bytes in hexadecimal digits.
    public static let invalidDeviceToken = Self(rawValue: "invalid-device-token")

    /// Returns the code of an answer without a reason, such as `status-502`.
    public static func status(_ status: Int) -> Self {
        Self(rawValue: "status-\(status)")
    }
}
#endif
