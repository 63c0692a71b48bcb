internal import PushCryptCore

/// What to do about each reason for a fallback.
enum DiagnosisAdvice {
    static let neverRan = """
        The extension has not run since the log begins, or cannot write into the app group. Check that pushes have an alert with text and \
        mutable-content 1 (pushcrypt lint), that the user has turned alerts on, that the extension's bundle id begins with \
        the app's, that its deployment target is not above the device's system, and that both targets have the app group.
        """

    static let didNotRun = """
        Some notifications were shown without the extension, others with it. Check that all of them have an alert with \
        text and mutable-content 1 (pushcrypt lint), and that the user had alerts turned on.
        """

    static let didNotFinish = """
        The extension has begun and was ended before it could show the text: it has crashed, or used more than the 24 MB \
        that it has. Look for its crash reports, and at what customizedContent loads into memory.
        """

    /// What to do about a reason; for what is not in the list, to look it up.
    static func text(for reason: PushCryptError.Code) -> String {
        texts[reason] ?? "Look the code up in Docs/Errors.md, or in the documentation of your own stores."
    }

    static let texts: [PushCryptError.Code: String] = [
        // Keys
        .unknownKey: """
        Messages are sealed to a key that this device no longer has: register again. If that does not help, the server \
        does not store what the device registers.
        """,
        .deviceLocked: """
        Notifications came after a restart, before the device was unlocked for the first time. Nothing is wrong: have \
        the app open them again when it runs.
        """,
        .missingEntitlement: """
        The extension may not use the Keychain's access group. Add the Keychain Sharing capability with the same group \
        to the app's and the extension's target.
        """,
        .keyUnreadable: """
        The device's keys could not be read. Where it is the Keychain, look up the status in the error's reason; where \
        it is a file, its data protection class must be completeUntilFirstUserAuthentication.
        """,
        // What travels
        .notSealed: """
        Pushes without ENCRYPTED_DATA reach the device: the server sends some of them without sealing, or somebody else \
        sends for the app. Seal them, or set the plaintext policy to allow.
        """,
        .malformedBase64: "ENCRYPTED_DATA does not arrive as it was sealed. Look for what changes it on the way.",
        .malformedEnvelope: "ENCRYPTED_DATA does not arrive as it was sealed. Look for what changes it on the way.",
        .unsupportedVersion: "The server seals in a newer format than this app knows: update the app's PushCrypt.",
        .unsupportedAuthentication:
            "The server seals in a newer format than this app knows: update the app's PushCrypt.",
        .decryptionFailed: """
        Messages name a key of this device and do not open with it: they were changed on the way, or made by something \
        else than this library's sender.
        """,
        .malformedMessage: "The sender makes messages that are not of this format. Check it against Docs/Format.md.",
        .malformedJSON: "The sealed payload is no JSON. Seal with this library, which checks it.",
        .noAlertText: """
        The sealed payload has no title, subtitle or body. Send what has nothing to show as a background push.
        """,
        // Trust
        .unsigned: "Messages are not signed. Seal with a signing key, or accept anyone's messages on purpose.",
        .unknownSigner: """
        Messages are signed by a key that this app does not accept: ship the new verification key (pushcrypt keys \
        public --all prints what to accept). If your server's key is in the app, somebody else writes these messages.
        """,
        .invalidSignature: """
        Signatures do not fit their messages: somebody forwards or changes messages, or the sender signs otherwise than \
        Docs/Format.md says.
        """,
        .malformedJWK: "The app's list of accepted keys cannot be read. Copy what pushcrypt keys public prints.",
        .invalidKey: "The app's list of accepted keys cannot be read. Copy what pushcrypt keys public prints.",
        .multiplePrimaryKeys: """
        The app's list of accepted keys has a set with two primary keys. Copy what pushcrypt keys public prints.
        """,
        .wrongKeyType: """
        The app's list of accepted keys has a key of another kind. Accept the server's signing key (use sig), not a \
        device's key.
        """,
        .expired: "Messages are too old, or a clock is wrong: compare the server's and the device's.",
        .issuedInFuture: "The server's clock is ahead of the device's by more than 48 hours. Compare the two.",
        .replayed: """
        Messages come a second time. If the server does not seal one message twice into several pushes by sending the \
        same bytes again, somebody repeats them.
        """,
        .replayGuardUnavailable: """
        Messages were shown, and the file of message ids could not be used. Check that both targets have the app group, \
        and that the folder is there.
        """,
        // Time
        .deadlinePassed:
            "The key store was too slow. Look at what keys does, and at the device's load.",
        .timeExpired: "The system has ended the extension's time before its own deadline. Shorten the deadline.",
        .sodiumUnavailable: "libsodium had no memory to give. Look at what else the extension loads.",
    ]
}
