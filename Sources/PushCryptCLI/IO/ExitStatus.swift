internal import PushCryptSender

/// The exit status of the process.
enum ExitStatus: Int32, Error {
    case success = 0
    /// A file or a key can't be used.
    case failure = 1
    /// `keys check --strict` has found something to act on.
    case warning = 3
    /// The command line is wrong (EX_USAGE of sysexits.h).
    case usage = 64
    /// The input is invalid, not authentic, or can't be opened (EX_DATAERR).
    case input = 65

    init(_ code: PushCryptError.Code) {
        switch code {
        case .invalidPlaceholder, .invalidHeader, .invalidLifetime, .invalidConfiguration,
            .riskyChange:
            self = .usage
        case .invalidKey, .malformedJWK, .wrongKeyType, .keyPairMismatch, .thumbprintMismatch,
            .malformedKeyring, .noPrimaryKey, .multiplePrimaryKeys, .unknownKeyState, .duplicateKey,
            .wrongKeyState, .implausibleClock, .passphraseRequired, .wrongPassphrase,
            .staleGeneration, .keyUnreadable, .deviceLocked, .missingEntitlement,
            .sodiumUnavailable, .fileNotFound, .fileExists, .insecureFile, .lockTimeout,
            .fileSystemError, .signerFailed, .newerFormat:
            self = .failure
        default: self = .input
        }
    }
}
