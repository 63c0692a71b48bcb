/// Codes of keys and keyrings.
extension PushCryptError.Code {
    /// The key has a wrong length, isn't canonical or has a small order.
    public static let invalidKey = Self(rawValue: "invalid-key")

    /// The string isn't a JWK or a JWK Set, or a required member is missing.
    public static let malformedJWK = Self(rawValue: "malformed-jwk")

    /// The JWK is valid, but a key of another type is required.
    public static let wrongKeyType = Self(rawValue: "wrong-key-type")

    /// The private half of a key doesn't belong to its public half.
    public static let keyPairMismatch = Self(rawValue: "key-pair-mismatch")

    /// A `kid` in a keyring isn't the RFC 7638 thumbprint of its key.
    public static let thumbprintMismatch = Self(rawValue: "thumbprint-mismatch")

    /// A member of the keyring, or of its passphrase protection, is missing or invalid.
    public static let malformedKeyring = Self(rawValue: "malformed-keyring")

    /// The keyring has no primary key.
    public static let noPrimaryKey = Self(rawValue: "no-primary-key")

    /// The keyring has more than one primary key.
    public static let multiplePrimaryKeys = Self(rawValue: "multiple-primary-keys")

    /// A key in the keyring has an unknown state.
    public static let unknownKeyState = Self(rawValue: "unknown-key-state")

    /// The keyring contains the same key twice.
    public static let duplicateKey = Self(rawValue: "duplicate-key")

    /// The state of the key doesn't allow the operation.
    public static let wrongKeyState = Self(rawValue: "wrong-key-state")

    /// The change may leave devices without text, or keep a leaked key, so the caller must decide.
    public static let riskyChange = Self(rawValue: "risky-change")

    /// The clock is probably wrong, so it doesn't destroy or schedule a key.
    public static let implausibleClock = Self(rawValue: "implausible-clock")

    /// The passphrase of the keyring is missing or empty.
    public static let passphraseRequired = Self(rawValue: "passphrase-required")

    /// The passphrase doesn't open the keyring, or the file was changed.
    public static let wrongPassphrase = Self(rawValue: "wrong-passphrase")

    /// A newer version of PushCrypt has written the file, and this version would lose a part of it.
    public static let newerFormat = Self(rawValue: "newer-format")
}

extension PushCryptError {
    /// Returns the error for a file that isn't written, because this version doesn't know one of
    /// its members.
    package static func newerFormat(member: String, of file: String) -> PushCryptError {
        PushCryptError(
            .newerFormat,
            """
            The \(file) has the member \(quoted(member)), which this version of PushCrypt doesn't \
            know, so it isn't changed. A newer version has written it. Update this program.
            """)
    }

    /// Returns a name of an unknown member for a message: only names of harmless characters are
    /// repeated.
    private static func quoted(_ name: String) -> String {
        let isHarmless =
            name.utf8.count <= 40
            && name.allSatisfy { $0 == "-" || $0.isASCII && ($0.isLetter || $0.isNumber) }
        return isHarmless ? "\"\(name)\"" : "of \(name.utf8.count) bytes"
    }
}
