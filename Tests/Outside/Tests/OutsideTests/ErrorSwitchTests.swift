import PushCryptReceiver
import PushCryptSender
import Testing

/// A client's decisions by code.
@Suite struct ErrorSwitchTests {
    private enum Decision {
        case askUserToUnlock, registerAgain, shorten, rejectRequest, alertOperator, log
    }

    private static func decision(on code: PushCryptError.Code) -> Decision {
        switch code {
        case .deviceLocked, .keyUnreadable, .missingEntitlement: .askUserToUnlock
        case .unknownKey, .removedAccount, .staleGeneration: .registerAgain
        case .payloadTooLarge: .shorten
        case .invalidPayload, .noAlertText, .alreadySealed, .notSealable, .invalidHeader,
            .malformedJSON, .malformedRegistration, .malformedJWK, .wrongKeyType, .invalidKey:
            .rejectRequest
        case .sodiumUnavailable, .malformedKeyring, .wrongPassphrase, .passphraseRequired,
            .noPrimaryKey, .multiplePrimaryKeys, .duplicateKey, .unknownKeyState, .wrongKeyState,
            .thumbprintMismatch, .keyPairMismatch, .implausibleClock, .insecureFile, .lockTimeout,
            .fileSystemError, .fileNotFound, .fileExists, .invalidConfiguration, .invalidLifetime,
            .invalidPlaceholder:
            .alertOperator
        case .malformedBase64, .notSealed, .malformedEnvelope, .unsupportedVersion,
            .decryptionFailed, .malformedMessage, .unsupportedAuthentication, .unsupportedKind,
            .missingValue, .typeMismatch, .malformedStrings, .malformedPropertyList, .unsigned,
            .unknownSigner, .wrongAccount, .invalidSignature, .wrongKind, .expired, .issuedInFuture,
            .replayed, .possiblyReplayed, .replayGuardUnavailable, .deadlinePassed, .timeExpired,
            .customizationFailed, .deliveryLogUnavailable, .malformedAttachment, .unsupportedMedia,
            .downloadFailed, .damagedAttachment, .foreignOpenerFailed, .registrationRefused, .other:
            .log
        default: .log
        }
    }

    @Test("A client decides by the codes of errors that it gets") func decisions() throws {
        let sealer = Sealer(.anonymous)
        let key = try RecipientPrivateKey().publicKey
        func decision(_ body: () throws -> Void) -> Decision? {
            do {
                try body()
                return nil
            } catch {
                return (error as? PushCryptError).map { Self.decision(on: $0.code) }
            }
        }
        let long = String(repeating: "x", count: 5000)
        #expect(
            decision { _ = try sealer.seal(json: #"{"aps":{"alert":"\#(long)"}}"#, for: key) }
                == .shorten)
        #expect(decision { _ = try sealer.seal(json: #"{"aps":{}}"#, for: key) } == .rejectRequest)
        #expect(decision { _ = try RecipientPublicKey(parsing: "{}") } == .rejectRequest)
        #expect(
            decision { _ = try SigningKeyringFile(path: "/nonexistent/ring").read() }
                == .alertOperator)
    }
}
