/// Codes of sealers.
extension PushCryptError.Code {
    /// The sealed payload would be larger than APNs accepts.
    public static let payloadTooLarge = Self(rawValue: "payload-too-large")

    /// The payload violates one of Apple's rules for its push type.
    public static let invalidPayload = Self(rawValue: "invalid-payload")

    /// The payload has no title, subtitle or body.
    public static let noAlertText = Self(rawValue: "no-alert-text")

    /// The payload already has an `ENCRYPTED_DATA`.
    public static let alreadySealed = Self(rawValue: "already-sealed")

    /// No extension opens the push on a single device.
    public static let notSealable = Self(rawValue: "not-sealable")

    /// The placeholder has no title and no body.
    public static let invalidPlaceholder = Self(rawValue: "invalid-placeholder")

    /// The device is registered with another carrier than the push is sealed for.
    public static let wrongCarrier = Self(rawValue: "wrong-carrier")

    /// A value is too long for an APNs request header, or has invalid characters.
    public static let invalidHeader = Self(rawValue: "invalid-header")

    /// The lifetime of a sealer or a device isn't between 1 second and 30 days.
    public static let invalidLifetime = Self(rawValue: "invalid-lifetime")
}
