/// Codes of registrations on the server.
extension PushCryptError.Code {
    /// The registration or the device token is malformed.
    public static let malformedRegistration = Self(rawValue: "malformed-registration")

    /// The registration doesn't follow the registration that the server knows.
    public static let staleGeneration = Self(rawValue: "stale-generation")
}
