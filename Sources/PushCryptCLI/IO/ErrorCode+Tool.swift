public import PushCryptSender

/// The codes of the tool alone.
extension PushCryptError.Code {
    /// Standard output is a pipe, and its reader has ended; never displayed.
    static let outputClosed = Self(rawValue: "output-closed")

    /// A line is longer than 65,536 bytes.
    public static let lineTooLong = Self(rawValue: "line-too-long")

    /// The keyring is older than one that existed, so it lacks keys or has revoked ones.
    static let olderKeyring = Self(rawValue: "older-keyring")
}
