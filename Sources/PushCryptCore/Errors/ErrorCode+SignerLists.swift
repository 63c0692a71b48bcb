/// Codes of the lists of keys from which devices accept signatures.
extension PushCryptError.Code {
    /// The text isn't a list of accepted keys: its parts, its header or its content isn't valid.
    public static let malformedSignerList = Self(rawValue: "malformed-signer-list")

    /// The list is signed by a root that the app doesn't pin.
    public static let unknownRoot = Self(rawValue: "unknown-root")

    /// The list is for another audience than the one that the app pins.
    public static let wrongAudience = Self(rawValue: "wrong-audience")

    /// The list has a lower number than the stored list of its root.
    public static let staleSignerList = Self(rawValue: "stale-signer-list")

    /// The list has the same number as the stored list of its root, and other bytes.
    public static let conflictingSignerList = Self(rawValue: "conflicting-signer-list")

    /// The list came after its expiration.
    public static let expiredSignerList = Self(rawValue: "expired-signer-list")

    /// The list doesn't have the key that signs the server's messages.
    public static let unlistedSigningKey = Self(rawValue: "unlisted-signing-key")

    /// The device accepts no key of the server's keyring.
    public static let noAcceptedKey = Self(rawValue: "no-accepted-key")

    /// A signer outside of the process failed, or returned an invalid signature.
    public static let signerFailed = Self(rawValue: "signer-failed")
}
