internal import PushCryptCore

/// The advice for each finding.
enum DiagnosisAdvice {
    static let neverRan = """
        The extension hasn't run, or can't write to the app group. Check that pushes have an alert \
        with text and mutable-content 1, that the user allows alerts, and that both targets have \
        the app group. Also check that the extension's bundle ID begins with the app's, and that \
        the device's system isn't older than its deployment target.
        """

    static let didNotRun = """
        Some notifications were displayed without the extension. Check that all pushes have an \
        alert with text and mutable-content 1, and that the user allows alerts.
        """

    static let didNotFinish = """
        The extension began, but it was ended before it displayed the text. Look for crash \
        reports, and check the memory that customizedContent uses: the system allows 24 MB.
        """

    static func text(for reason: PushCryptError.Code) -> String {
        texts[reason] ?? textsOfRegistrations[reason]
            ?? """
            Look up this code in the documentation of the library or of your own key store or \
            replay guard.
            """
    }

    /// The advice for reasons that a notification doesn't have.
    private static let textsOfRegistrations: [PushCryptError.Code: String] = [
        .newerFormat:
            """
        A newer version of the app has written its keys or its registration. Install that \
        version again.
        """
    ]

    private static let changed =
        """
        ENCRYPTED_DATA was changed between the server and the device. Check proxies and push \
        services.
        """
    private static let newer =
        "The server uses a newer format than this app. Update the library in the app."
    private static let keys =
        "The app's list of accepted keys can't be read. Copy the server's public keys again."

    static let texts: [PushCryptError.Code: String] = [
        // Keys
        .unknownKey: """
        Messages are sealed to a key that this device no longer has. Register the device again. If \
        that doesn't help, check that the server stores new registrations.
        """,
        .deviceLocked: """
        Notifications came before the user unlocked the device for the first time after a restart. \
        Have the app open them again when it runs.
        """,
        .missingEntitlement: """
        The extension can't use the Keychain access group. Add the Keychain Sharing capability \
        with the same group to the app's target and to the extension's.
        """,
        .keyUnreadable: """
        The device's keys can't be read. For the Keychain, look up the status in the error's \
        reason. A keyring file needs the protection class completeUntilFirstUserAuthentication.
        """,
        .removedAccount:
            """
        Messages come for an account that the app has removed. Have the server delete its \
        registration.
        """,
        // Format
        .notSealed: """
        Payloads without ENCRYPTED_DATA reach the device. Seal them on the server, or allow \
        unsealed payloads. If the server seals all of them, another sender has the app's push key. \
        After the server has revoked a key, placeholders come until the app has registered.
        """,
        .malformedBase64: changed,
        .malformedEnvelope: changed,
        .unsupportedVersion: newer,
        .unsupportedAuthentication: newer,
        .unsupportedKind: newer,
        .decryptionFailed: """
        Messages name a key of this device but don't open with it. Check that the sender uses this \
        library, and that messages aren't changed between the server and the device.
        """,
        .malformedMessage:
            "The sender's messages don't have the right format. Check the sender's implementation.",
        .malformedJSON:
            """
        The sealed payload isn't valid JSON. Seal with this library, which checks the payload.
        """,
        .noAlertText:
            """
        The sealed payload has no title, subtitle or body. Send it as a background push instead.
        """,
        // Trust
        .unsigned: "Messages aren't signed. Seal with a signing key, or accept anyone's messages.",
        .unknownSigner: """
        Messages are signed by a key that this app doesn't accept. Register the device again for \
        the newest list of accepted keys, or add the server's new key to the app. If the app has \
        it, another sender writes these messages.
        """,
        .wrongAccount:
            """
        An account's server seals messages to another account's key. Check which device key it \
        uses.
        """,
        .invalidSignature: """
        Signatures don't match their messages. Check that messages aren't forwarded or changed, \
        and that the sender signs in the right format.
        """,
        .malformedSignerList: keys,
        .malformedJWK: keys,
        .invalidKey: keys,
        .invalidConfiguration:
            """
        A setting isn't valid, perhaps in the extension's Info.plist. The error's reason in the \
        system's log names it.
        """,
        .multiplePrimaryKeys: keys,
        .wrongKeyType:
            """
        The list of accepted keys has a key of another type. Use the server's signing key, \
        with the use sig.
        """,
        .wrongKind:
            """
        Messages arrive in a push of another type. Have the server seal each payload with its \
        request's push type.
        """,
        .expired:
            """
        Messages are too old, or a clock is wrong. Compare the clocks of the server and the \
        device.
        """,
        .issuedInFuture:
            """
        The server's clock is ahead of the device's by more than 48 hours. Compare the two clocks.
        """,
        .replayed: """
        Messages come again after more than an hour. If the server seals each push once, an \
        attacker repeats its messages.
        """,
        .possiblyReplayed: """
        The replay guard has forgotten messages of that time. That is so after a reinstallation or \
        a restored backup. Otherwise check the device's clock and the guard's capacity.
        """,
        .possiblyWithdrawn: """
        The list of withdrawals was lost after these messages were issued, as after a \
        reinstallation or a restored backup. Or the server has withdrawn more than 500 targets \
        since. Later messages are displayed.
        """,
        .replayGuardUnavailable:
            """
        The replay guard failed. Check that both targets have the app group, and that the \
        directory exists.
        """,
        .foreignOpenerFailed: """
        The app's own opener of another format failed. Look up the type of its error in the \
        system's log, and check its keys.
        """,
        // Time
        .deadlinePassed:
            "The key store was too slow. Check your key store, and the load of the device.",
        .timeExpired:
            "The system ended the extension before its own deadline. Shorten the deadline.",
        .sodiumUnavailable:
            "libsodium couldn't allocate memory. Reduce the memory that the extension uses.",
    ]
}
