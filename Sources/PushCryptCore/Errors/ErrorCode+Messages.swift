/// Codes of payloads, envelopes and messages that can't be read.
extension PushCryptError.Code {
    /// The string isn't strict base64url without padding.
    public static let malformedBase64 = Self(rawValue: "malformed-base64")

    /// The payload has no `ENCRYPTED_DATA`.
    public static let notSealed = Self(rawValue: "not-sealed")

    /// `ENCRYPTED_DATA` isn't a string, or is too short for an envelope.
    public static let malformedEnvelope = Self(rawValue: "malformed-envelope")

    /// This release doesn't support the version of the envelope.
    public static let unsupportedVersion = Self(rawValue: "unsupported-version")

    /// The sealed box was changed, truncated, or sealed for another key than its envelope names.
    public static let decryptionFailed = Self(rawValue: "decryption-failed")

    /// The decrypted message has wrong lengths, or padding that isn't zero.
    public static let malformedMessage = Self(rawValue: "malformed-message")

    /// This release doesn't support the authentication of the message.
    public static let unsupportedAuthentication = Self(rawValue: "unsupported-authentication")

    /// This release doesn't support the kind of the message.
    public static let unsupportedKind = Self(rawValue: "unsupported-kind")

    /// The payload isn't one JSON object as RFC 8259 defines it.
    public static let malformedJSON = Self(rawValue: "malformed-json")

    /// The `.strings` file has a syntax error or contains a key twice.
    public static let malformedStrings = Self(rawValue: "malformed-strings")

    /// The file isn't the property list of a notification content extension.
    public static let malformedPropertyList = Self(rawValue: "malformed-property-list")

    /// The payload doesn't contain the requested member.
    public static let missingValue = Self(rawValue: "missing-value")

    /// A member of the payload has another type than the requested type.
    public static let typeMismatch = Self(rawValue: "type-mismatch")
}
