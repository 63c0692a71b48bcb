/// Codes of attachments.
extension PushCryptError.Code {
    /// The description of an attachment isn't valid.
    public static let malformedAttachment = Self(rawValue: "malformed-attachment")

    /// The file of an attachment has a type or a length that the system doesn't display.
    public static let unsupportedMedia = Self(rawValue: "unsupported-media")

    /// The file of an attachment can't be downloaded.
    public static let downloadFailed = Self(rawValue: "download-failed")

    /// The sealed file of an attachment was cut, changed or replaced.
    public static let damagedAttachment = Self(rawValue: "damaged-attachment")
}
