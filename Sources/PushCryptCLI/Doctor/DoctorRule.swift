internal import PushCryptSender

/// The findings of `pushcrypt doctor`, each with a message and a fix.
enum DoctorRule {
    // MARK: The server's files

    static let keyringUnreadable = Rule(
        "keyring-unreadable", .error, message: "The keyring can't be used.",
        fix: "Name the server's keyring with '--keyring'.")
    static let keyringOfDevice = Rule(
        "keyring-of-device", .error,
        message: "The keyring has keys of a device, which sign nothing.",
        fix: "Create a signing keyring with 'pushcrypt keygen --use sig'.")
    static let keyringOld = Rule(
        "keyring-old", .warning, message: "The primary key is more than a year old.",
        fix: "Promote the pending key, or create one with 'pushcrypt keygen --pending'.")
    static let clockWrong = Rule(
        "clock-wrong", .error, message: "This machine's clock is wrong, or was wrong before.",
        fix: "Synchronize it.")
    static let listInvalid = Rule(
        "list-invalid", .error, message: "The list of accepted keys isn't valid.",
        fix: "Move the file away, and announce the keys with 'pushcrypt keys announce'.")
    static let listDiffers = Rule(
        "list-differs", .warning, message: "The list and the keyring have different keys.",
        fix: "Announce the keys again with 'pushcrypt keys announce'.")
    static let listExpired = Rule(
        "list-expired", .error,
        message: "The list of accepted keys has expired, and no device takes it.",
        fix: "Announce the keys again with 'pushcrypt keys announce'.")
    static let listExpiresSoon = Rule(
        "list-expires-soon", .warning, message: "The list of accepted keys expires within 30 days.",
        fix: "Announce the keys again with 'pushcrypt keys announce'.")
    static let listOfOtherRoot = Rule(
        "list-of-other-root", .error,
        message: "The list of accepted keys is signed by a root that wasn't named.",
        fix:
            """
            Name each root that the app pins with '--root'. If it isn't one, announce the keys \
            with one that is.
            """)
    static let listAudience = Rule(
        "list-audience", .error, message: "The list of accepted keys is for another audience.",
        fix: "Announce the keys with the audience that the app pins, to another file with '-o'.")
    static let listIncomplete = Rule(
        "list-incomplete", .error, message: "The list of accepted keys lacks the signing key.",
        fix: "Announce the keys again with 'pushcrypt keys announce'.")
    static let secretInvalid = Rule(
        "secret-invalid", .error, message: "The secret of challenges can't be used.",
        fix: "Give the file of the server that answers registrations, with mode 0600.")

    // MARK: The device's row

    static let recipientInvalid = Rule(
        "recipient-invalid", .error, message: "The device's row isn't valid.",
        fix: "Give the row as the server stores it, and let the device register again.")
    static let recipientCarrier = Rule(
        "recipient-carrier", .error, message: "The device's row names an unknown carrier.",
        fix: "Store the carrier that the device's registration names.")
    static let recipientUnproved = Rule(
        "recipient-unproved", .warning, message: "The device hasn't proved its registration.",
        fix: "Have the user open the app, which registers and answers the challenge.")
    static let recipientSilent = Rule(
        "recipient-silent", .warning,
        message: "The device hasn't registered for more than 30 days.",
        fix: "Have the user open the app. Check that it calls PushInbox.register at each launch.")
    static let noAcceptedKey = Rule(
        "no-accepted-key", .error, message: "The device accepts none of the keys that sign.",
        fix:
            """
            Send the placeholder that asks the app to register, and check the list in the server's \
            answers.
            """)

    // MARK: APNs

    static let credentialsUnreadable = Rule(
        "credentials-unreadable", .error, message: "The key for APNs can't be used.",
        fix: "Give the file AuthKey_….p8 of the developer account.")
    static let credentialsRejected = Rule(
        "credentials-rejected", .error, message: "APNs rejects the credentials.",
        fix: "Check '--p8', '--key-id' and '--team-id', and that the key hasn't been revoked.")
    static let environmentWrong = Rule(
        "environment-wrong", .error, message: "The key for APNs is for the other environment.",
        fix: "Add or remove '--sandbox', or use the key of this environment.")
    static let topicWrong = Rule(
        "topic-wrong", .error,
        message: "The topic isn't the app of the device token or of the key.",
        fix: "Give the app's bundle ID with '--topic'.")
    static let tokenRejected = Rule(
        "token-rejected", .error,
        message: "APNs doesn't know the device token in this environment.",
        fix:
            """
            Add or remove '--sandbox': builds from Xcode have tokens of the sandbox. Store tokens \
            unchanged.
            """)
    static let deviceUnregistered = Rule(
        "device-unregistered", .error,
        message: "The app was deleted, or its device token has expired.",
        fix: "Delete the row, unless the device has registered since then.")
    static let apnsUnreachable = Rule(
        "apns-unreachable", .error, message: "APNs can't be reached.",
        fix:
            """
            Check the network and the firewall: the tool needs port 443, or 2197 with '--port \
            2197'.
            """)
    static let apnsBusy = Rule(
        "apns-busy", .error, message: "APNs doesn't take the push now.",
        fix: "Run the command again later.")
    static let pushRejected = Rule(
        "push-rejected", .error, message: "APNs rejects the push.",
        fix: "Look up Apple's reason in Docs/Sending.md.")

    // MARK: The device

    static let noAnswer = Rule(
        "no-answer", .error, message: "The device hasn't answered the challenge in time.",
        fix: """
            Open the app, and call PushInbox.diagnose in it. The system delivers no background \
            push if the user \
            has closed the app by a swipe or turned off its background refresh, and delays many.
            """)

    /// All findings, in the order of the steps.
    static let all = [
        keyringUnreadable, keyringOfDevice, keyringOld, clockWrong, listInvalid, listExpired,
        listExpiresSoon, listOfOtherRoot, listAudience, listIncomplete, listDiffers, secretInvalid,
        recipientInvalid, recipientCarrier, recipientUnproved, recipientSilent, noAcceptedKey,
        credentialsUnreadable, credentialsRejected, environmentWrong, topicWrong, tokenRejected,
        deviceUnregistered, apnsUnreachable, apnsBusy, pushRejected, noAnswer,
    ]
}
