/// Codes of registrations on the server.
extension PushCryptError.Code {
    /// The registration or the device token is malformed.
    public static let malformedRegistration = Self(rawValue: "malformed-registration")

    /// The registration doesn't follow the registration that the server knows.
    public static let staleGeneration = Self(rawValue: "stale-generation")

    /// The answer to a challenge came after its expiry.
    public static let expiredChallenge = Self(rawValue: "expired-challenge")

    /// The proof in an answer doesn't fit the challenge, the registration, the device token or the
    /// account.
    public static let invalidProof = Self(rawValue: "invalid-proof")

    /// The recipient hasn't proved that its key and its device token belong to the same device.
    public static let unprovedRecipient = Self(rawValue: "unproved-recipient")

    /// The server has sent as many challenges to the device token as it may.
    public static let tooManyChallenges = Self(rawValue: "too-many-challenges")

    /// The server has answered a registration with an error, or in a form that the app can't read.
    public static let registrationRefused = Self(rawValue: "registration-refused")
}
