public import PushCryptCore

extension PushCryptError {
    /// The party that can remove the cause of an error, as a service sees it.
    public struct Responsibility: Hashable, Sendable, CustomStringConvertible {
        /// The word in lower case.
        public let description: String

        /// The caller, whose payload, message or key is invalid.
        public static let caller = Self(description: "caller")
        /// The operator of this process, who must correct its keys, files, clock or settings.
        public static let configuration = Self(description: "configuration")
        /// The device, whose app must register, unlock or update.
        public static let device = Self(description: "device")
    }
}

extension PushCryptError.Code {
    /// The party that can remove the cause, for the response of a service; `configuration` for your
    /// own codes.
    ///
    /// ```swift
    /// func status(for error: PushCryptError) -> Int {
    ///     [.caller: 400, .device: 409][error.code.responsibility] ?? 500
    /// }
    /// ```
    ///
    /// An error of reading the service's own keyring is always its operator's.
    public var responsibility: PushCryptError.Responsibility {
        switch self {
        case .staleGeneration, .unknownKey, .deviceLocked, .deadlinePassed, .timeExpired,
            .unsupportedVersion,
            .unsupportedAuthentication, .unsupportedKind, .removedAccount, .noAcceptedKey:
            .device
        case .invalidKey, .malformedJWK, .wrongKeyType, .malformedRegistration, .malformedBase64,
            .notSealed, .malformedEnvelope, .decryptionFailed, .malformedMessage, .malformedJSON,
            .malformedStrings, .malformedPropertyList, .missingValue, .typeMismatch, .unsigned,
            .unknownSigner, .invalidSignature, .wrongKind, .wrongAccount, .possiblyReplayed,
            .possiblyWithdrawn, .expired, .issuedInFuture, .invalidLifetime, .replayed,
            .payloadTooLarge, .invalidPayload, .noAlertText, .alreadySealed, .notSealable,
            .invalidPlaceholder, .invalidHeader:
            .caller
        default: .configuration
        }
    }
}
