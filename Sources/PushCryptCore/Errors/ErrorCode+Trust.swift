/// Codes of messages that the receiver rejects.
extension PushCryptError.Code {
    /// The receiver requires a signature, which is missing.
    public static let unsigned = Self(rawValue: "unsigned")

    /// The message is signed with a key that the receiver doesn't accept.
    public static let unknownSigner = Self(rawValue: "unknown-signer")

    /// The message is sealed to a key of one account, and signed for another account.
    public static let wrongAccount = Self(rawValue: "wrong-account")

    /// The signature doesn't match the message, the recipient or the key that it names.
    public static let invalidSignature = Self(rawValue: "invalid-signature")

    /// The message has another purpose than the push in which it arrived.
    public static let wrongKind = Self(rawValue: "wrong-kind")

    /// The message is older than its lifetime, or than the receiver accepts.
    public static let expired = Self(rawValue: "expired")

    /// The message was issued too far in the future.
    public static let issuedInFuture = Self(rawValue: "issued-in-future")

    /// A message with this ID was opened before.
    public static let replayed = Self(rawValue: "replayed")

    /// The replay guard may have forgotten that the message was opened before.
    public static let possiblyReplayed = Self(rawValue: "possibly-replayed")

    /// The message may have been withdrawn: the list of withdrawals was lost, or got full, after it
    /// was issued.
    public static let possiblyWithdrawn = Self(rawValue: "possibly-withdrawn")

    /// A foreign opener failed: it threw an error of its own.
    public static let foreignOpenerFailed = Self(rawValue: "foreign-opener-failed")

    /// The replay guard failed; the message was displayed, or rejected if the app requires the
    /// guard.
    public static let replayGuardUnavailable = Self(rawValue: "replay-guard-unavailable")
}
