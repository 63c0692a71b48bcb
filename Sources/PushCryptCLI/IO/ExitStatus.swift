internal import PushCryptCore

/// What the process ends with.
enum ExitStatus: Int32, Error {
    /// All of it succeeded.
    case done = 0
    /// Trouble with a file or a key.
    case trouble = 1
    /// The command line is wrong (EX_USAGE of sysexits.h).
    case usage = 64
    /// The input is invalid, not authentic, or cannot be opened (EX_DATAERR).
    case input = 65

    /// The status for an error.
    init(_ code: PushCryptError.Code) {
        let trouble: Set<PushCryptError.Code> = [
            .invalidKey, .malformedJWK, .wrongKeyType, .keyPairMismatch, .thumbprintMismatch, .malformedKeyring,
            .noPrimaryKey, .multiplePrimaryKeys, .unknownKeyState, .duplicateKey, .wrongKeyState, .implausibleClock,
            .passphraseRequired, .wrongPassphrase, .staleGeneration,
            .keyUnreadable, .deviceLocked, .missingEntitlement, .sodiumUnavailable, .fileNotFound, .fileExists,
            .insecureFile, .fileSystemError,
        ]
        if trouble.contains(code) {
            self = .trouble
        } else if code == .invalidPlaceholder || code == .invalidHeader {
            self = .usage
        } else {
            self = .input
        }
    }
}
