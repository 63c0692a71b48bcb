extension PushCryptError {
    /// The kind of a failure: a short stable word for logs, metrics and `switch` statements.
    ///
    /// A new code in a minor release breaks no `switch`, and rare codes have no constant:
    ///
    /// ```swift
    /// func isExpected(_ error: PushCryptError) -> Bool {
    ///     switch error.code {
    ///     case .deviceLocked, .timeExpired: true
    ///     default: false
    ///     }
    /// }
    /// ```
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The word in lower case with hyphens, such as `unknown-key`.
        public let rawValue: String

        /// Creates a code from its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The word in lower case with hyphens.
        public var description: String { rawValue }
    }
}

extension PushCryptError.Code {
    // MARK: Keys

    /// The key has a wrong length, is not canonical or has a small order.
    public static let invalidKey = Self(rawValue: "invalid-key")
    /// The text is not a JWK or a JWK Set, or a required member is missing.
    package static let malformedJWK = Self(rawValue: "malformed-jwk")
    /// The JWK is valid, but a key of another type is required.
    package static let wrongKeyType = Self(rawValue: "wrong-key-type")
    /// The private half of a key does not belong to its public half.
    package static let keyPairMismatch = Self(rawValue: "key-pair-mismatch")
    /// A `kid` in a keyring is not the RFC 7638 thumbprint of its key.
    package static let thumbprintMismatch = Self(rawValue: "thumbprint-mismatch")
    /// A member of the keyring, or of its passphrase protection, is missing or invalid.
    package static let malformedKeyring = Self(rawValue: "malformed-keyring")
    /// The keyring has no primary key.
    package static let noPrimaryKey = Self(rawValue: "no-primary-key")
    /// The keyring has more than one primary key.
    package static let multiplePrimaryKeys = Self(rawValue: "multiple-primary-keys")
    /// A key in the keyring has an unknown state.
    package static let unknownKeyState = Self(rawValue: "unknown-key-state")
    /// The keyring contains the same key twice.
    package static let duplicateKey = Self(rawValue: "duplicate-key")
    /// The state of the key does not allow the operation.
    package static let wrongKeyState = Self(rawValue: "wrong-key-state")
    /// The clock is probably wrong, so no key is destroyed or scheduled by it.
    package static let implausibleClock = Self(rawValue: "implausible-clock")
    /// The passphrase of the keyring is missing or empty.
    package static let passphraseRequired = Self(rawValue: "passphrase-required")
    /// The passphrase does not open the keyring, or the file was changed.
    package static let wrongPassphrase = Self(rawValue: "wrong-passphrase")
    /// The registration or the device token is malformed.
    public static let malformedRegistration = Self(rawValue: "malformed-registration")
    /// The description of an attachment isn't valid.
    package static let malformedAttachment = Self(rawValue: "malformed-attachment")
    /// The file of an attachment has a type or a length that the system doesn't show.
    public static let unsupportedMedia = Self(rawValue: "unsupported-media")
    /// The file of an attachment can't be downloaded.
    public static let downloadFailed = Self(rawValue: "download-failed")
    /// The sealed file of an attachment was cut, changed or replaced.
    package static let damagedAttachment = Self(rawValue: "damaged-attachment")
    /// The registration doesn't follow the registration that the server knows.
    public static let staleGeneration = Self(rawValue: "stale-generation")
    /// No key on this device has the id that the message names.
    public static let unknownKey = Self(rawValue: "unknown-key")
    /// The message is sealed to a key of an account that the app has removed.
    package static let removedAccount = Self(rawValue: "removed-account")
    /// The keys cannot be read now, for example because of a missing permission.
    public static let keyUnreadable = Self(rawValue: "key-unreadable")
    /// The keys cannot be read before the first unlock after a restart.
    public static let deviceLocked = Self(rawValue: "device-locked")
    /// This target does not have the entitlement for the keychain access group.
    public static let missingEntitlement = Self(rawValue: "missing-entitlement")

    // MARK: Payloads and messages

    /// The text is not strict base64url without padding.
    package static let malformedBase64 = Self(rawValue: "malformed-base64")
    /// The payload has no `ENCRYPTED_DATA`.
    public static let notSealed = Self(rawValue: "not-sealed")
    /// `ENCRYPTED_DATA` is not a string, or is too short for an envelope.
    package static let malformedEnvelope = Self(rawValue: "malformed-envelope")
    /// This release does not support the version of the envelope.
    package static let unsupportedVersion = Self(rawValue: "unsupported-version")
    /// The sealed box was changed, truncated, or sealed for another key than its envelope names.
    package static let decryptionFailed = Self(rawValue: "decryption-failed")
    /// The decrypted message has wrong lengths, or padding that is not zero.
    package static let malformedMessage = Self(rawValue: "malformed-message")
    /// This release does not support the authentication of the message.
    package static let unsupportedAuthentication = Self(rawValue: "unsupported-authentication")
    /// This release does not support the kind of the message.
    package static let unsupportedKind = Self(rawValue: "unsupported-kind")
    /// The payload is not one JSON object as RFC 8259 defines it.
    public static let malformedJSON = Self(rawValue: "malformed-json")
    /// The `.strings` file has a syntax error or contains a key twice.
    package static let malformedStrings = Self(rawValue: "malformed-strings")
    /// The file is not the property list of a notification content extension.
    package static let malformedPropertyList = Self(rawValue: "malformed-property-list")
    /// The payload does not contain the requested member.
    package static let missingValue = Self(rawValue: "missing-value")
    /// A member of the payload has another type than the requested type.
    package static let typeMismatch = Self(rawValue: "type-mismatch")

    // MARK: Trust

    /// The receiver requires a signature, which is missing.
    public static let unsigned = Self(rawValue: "unsigned")
    /// The message is signed with a key that the receiver does not accept.
    public static let unknownSigner = Self(rawValue: "unknown-signer")
    /// The message is sealed to a key of one account, and signed for another account.
    package static let wrongAccount = Self(rawValue: "wrong-account")
    /// The signature does not match the message, the recipient or the key that it names.
    public static let invalidSignature = Self(rawValue: "invalid-signature")
    /// The message has another purpose than the push in which it arrived.
    public static let wrongKind = Self(rawValue: "wrong-kind")
    /// The message is older than its lifetime, or than the receiver accepts.
    public static let expired = Self(rawValue: "expired")
    /// The message was issued too far in the future.
    package static let issuedInFuture = Self(rawValue: "issued-in-future")
    /// A message with this id was opened before.
    public static let replayed = Self(rawValue: "replayed")
    /// The replay guard may have forgotten that the message was opened before.
    package static let possiblyReplayed = Self(rawValue: "possibly-replayed")
    /// The replay guard failed; the message was shown, or refused if the app requires the guard.
    package static let replayGuardUnavailable = Self(rawValue: "replay-guard-unavailable")

    // MARK: Time

    /// The deadline of the receiver passed before the message was open.
    public static let deadlinePassed = Self(rawValue: "deadline-passed")
    /// The system ended the time of the extension before the message was open.
    public static let timeExpired = Self(rawValue: "time-expired")
    /// The customization by the app failed; the opened text was shown without it.
    package static let customizationFailed = Self(rawValue: "customization-failed")
    /// The delivery log could not be written; the notification was shown.
    public static let deliveryLogUnavailable = Self(rawValue: "delivery-log-unavailable")

    // MARK: Sealing

    /// The sealed payload would be larger than APNs accepts.
    public static let payloadTooLarge = Self(rawValue: "payload-too-large")
    /// The payload violates one of Apple's rules for its push type.
    public static let invalidPayload = Self(rawValue: "invalid-payload")
    /// The payload has no title, subtitle or body.
    package static let noAlertText = Self(rawValue: "no-alert-text")
    /// The payload already has an `ENCRYPTED_DATA`.
    package static let alreadySealed = Self(rawValue: "already-sealed")
    /// No extension opens the push on a single device.
    package static let notSealable = Self(rawValue: "not-sealable")
    /// The placeholder has no text.
    package static let invalidPlaceholder = Self(rawValue: "invalid-placeholder")
    /// A value is too long for an APNs request header, or has invalid characters.
    package static let invalidHeader = Self(rawValue: "invalid-header")
    /// The lifetime of a sealer or a device is not between 1 second and 30 days.
    package static let invalidLifetime = Self(rawValue: "invalid-lifetime")

    // MARK: System

    /// A setting of the receiver is not valid, such as two accounts with one name.
    public static let invalidConfiguration = Self(rawValue: "invalid-configuration")
    /// libsodium could not start or could not allocate memory.
    package static let sodiumUnavailable = Self(rawValue: "sodium-unavailable")
    /// The file does not exist.
    public static let fileNotFound = Self(rawValue: "file-not-found")
    /// The file exists already and must not be overwritten.
    package static let fileExists = Self(rawValue: "file-exists")
    /// Other users can access or replace the key file or its lock, or it is not a regular file with one name.
    package static let insecureFile = Self(rawValue: "insecure-file")
    /// Another process has held the lock of a file for too long.
    package static let lockTimeout = Self(rawValue: "lock-timeout")
    /// A file could not be read or written.
    public static let fileSystemError = Self(rawValue: "file-system-error")
}
