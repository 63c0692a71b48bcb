extension PushCryptError {
    /// A kind of failure: a short stable word, fit for a log, a counter's label or a `switch`.
    ///
    /// It is a structure rather than an enumeration so that a new kind in a minor release breaks nobody's `switch`.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The word itself, in lower case with hyphens.
        public let rawValue: String

        /// Makes a code from its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The word itself.
        public var description: String { rawValue }
    }
}

// MARK: Keys

extension PushCryptError.Code {
    /// The bytes are no key: wrong length, not canonical, or of small order.
    public static let invalidKey = Self("invalid-key")
    /// The text is no JWK or JWK Set, or lacks a member that it must have.
    public static let malformedJWK = Self("malformed-jwk")
    /// The JWK is well formed, but of another kind than is needed here.
    public static let wrongKeyType = Self("wrong-key-type")
    /// The private half of a key does not belong to its public half.
    public static let keyPairMismatch = Self("key-pair-mismatch")
    /// A `kid` that is stored in a keyring is not the key's RFC 7638 thumbprint.
    public static let thumbprintMismatch = Self("thumbprint-mismatch")
    /// The keyring lacks a number that it must have, or what protects it is not as it must be.
    public static let malformedKeyring = Self("malformed-keyring")
    /// No key of a keyring is the primary one.
    public static let noPrimaryKey = Self("no-primary-key")
    /// More than one key of a keyring is the primary one.
    public static let multiplePrimaryKeys = Self("multiple-primary-keys")
    /// A key of a keyring is in a state that there is not.
    public static let unknownKeyState = Self("unknown-key-state")
    /// A keyring has a key twice.
    public static let duplicateKey = Self("duplicate-key")
    /// A key is in a state in which what was asked for cannot be done with it.
    public static let wrongKeyState = Self("wrong-key-state")
    /// The clock cannot be right, so nothing is destroyed or scheduled by it.
    public static let implausibleClock = Self("implausible-clock")
    /// A keyring is protected by a passphrase, and none was given.
    public static let passphraseRequired = Self("passphrase-required")
    /// The passphrase is not the one that a keyring is protected by, or the file was changed.
    public static let wrongPassphrase = Self("wrong-passphrase")
    /// The JSON is no registration, or the device token none.
    public static let malformedRegistration = Self("malformed-registration")
    /// A registration has a lower generation than the one that is known.
    public static let staleGeneration = Self("stale-generation")
    /// No key with the id that the message names is here.
    public static let unknownKey = Self("unknown-key")
    /// The key may well be here, but cannot be read now: locked device, missing permission, failing storage.
    public static let keyUnreadable = Self("key-unreadable")
    /// The keys cannot be read before the device is unlocked; as a rule, for the first time since it was started.
    public static let deviceLocked = Self("device-locked")
    /// The keys cannot be read or written because this target of the app has not the entitlement for it.
    public static let missingEntitlement = Self("missing-entitlement")
}

// MARK: What travels

extension PushCryptError.Code {
    /// The text is not strict unpadded base64url.
    public static let malformedBase64 = Self("malformed-base64")
    /// The payload has no `ENCRYPTED_DATA`.
    public static let notSealed = Self("not-sealed")
    /// `ENCRYPTED_DATA` is not a string, or too short to be an envelope.
    public static let malformedEnvelope = Self("malformed-envelope")
    /// The envelope has a version that this release does not know.
    public static let unsupportedVersion = Self("unsupported-version")
    /// The sealed box does not open: it was changed, cut, or made for another key than its envelope names.
    public static let decryptionFailed = Self("decryption-failed")
    /// The box opened, but what it holds is not a message: lengths that do not add up, padding that is not zero.
    public static let malformedMessage = Self("malformed-message")
    /// The message is authenticated in a way that this release does not know.
    public static let unsupportedAuthentication = Self("unsupported-authentication")
    /// The bytes are not the one JSON object, by RFC 8259, that a payload must be.
    public static let malformedJSON = Self("malformed-json")
    /// The bytes are not the text of a `.strings` file, or have a key twice.
    public static let malformedStrings = Self("malformed-strings")
    /// The file is no property list, or not that of a notification content extension.
    public static let malformedPropertyList = Self("malformed-property-list")
    /// A member that was asked for is not in the payload.
    public static let missingValue = Self("missing-value")
    /// A member of the payload has another type than was asked for.
    public static let typeMismatch = Self("type-mismatch")
}

// MARK: Trust

extension PushCryptError.Code {
    /// The receiver requires a signature and the message has none.
    public static let unsigned = Self("unsigned")
    /// The message is signed by a key that the receiver does not accept.
    public static let unknownSigner = Self("unknown-signer")
    /// The signature does not fit the message, the recipient or the key that it names.
    public static let invalidSignature = Self("invalid-signature")
    /// The message is older than the receiver accepts.
    public static let expired = Self("expired")
    /// The message was issued further in the future than clocks may differ.
    public static let issuedInFuture = Self("issued-in-future")
    /// A message with this id was already opened.
    public static let replayed = Self("replayed")
    /// The replay guard could not be asked, so the message was shown without it.
    public static let replayGuardUnavailable = Self("replay-guard-unavailable")
}

// MARK: Time

extension PushCryptError.Code {
    /// The receiver's own deadline passed before the message was open.
    public static let deadlinePassed = Self("deadline-passed")
    /// The system ended the extension's time before the message was open.
    public static let timeExpired = Self("time-expired")
    /// A step of the app after opening failed; the opened text was shown all the same.
    public static let customizationFailed = Self("customization-failed")
    /// The log of outcomes could not be written; the notification was shown all the same.
    public static let deliveryLogUnavailable = Self("delivery-log-unavailable")
}

// MARK: Sealing

extension PushCryptError.Code {
    /// The sealed payload would be larger than APNs accepts.
    public static let payloadTooLarge = Self("payload-too-large")
    /// The payload breaks one of Apple's rules for its push type.
    public static let invalidPayload = Self("invalid-payload")
    /// The payload has no title, subtitle or body, so the system would never run or heed the extension.
    public static let noAlertText = Self("no-alert-text")
    /// The payload already has an `ENCRYPTED_DATA`.
    public static let alreadySealed = Self("already-sealed")
    /// The placeholder has no text at all.
    public static let invalidPlaceholder = Self("invalid-placeholder")
    /// A value cannot be an APNs request header: too long, or characters that a header cannot carry.
    public static let invalidHeader = Self("invalid-header")
}

// MARK: The machine

extension PushCryptError.Code {
    /// libsodium could not start, or had no memory to give.
    public static let sodiumUnavailable = Self("sodium-unavailable")
    /// A file is not there.
    public static let fileNotFound = Self("file-not-found")
    /// A file is there already and is not to be overwritten.
    public static let fileExists = Self("file-exists")
    /// A key file may be read by others, or is not a plain file.
    public static let insecureFile = Self("insecure-file")
    /// A file could not be read or written.
    public static let fileSystemError = Self("file-system-error")
}
