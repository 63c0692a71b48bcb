/// The findings that aren't errors, in the order in which ``PushInbox`` checks.
extension DeviceFinding {
    static let deviceTokenMissing = Self(
        .deviceTokenMissing,
        message: "The system hasn't given the app a device token.",
        remedy: """
            Call registerForRemoteNotifications at each launch. Check the capability Push \
            Notifications and the network.
            """)
    static let keysMissing = Self(
        .keysMissing,
        message: "The app hasn't called register on this device.",
        remedy: "Call PushInbox.register at each launch, and check its errors.")
    static let keysOfAnotherDevice = Self(
        .keysOfAnotherDevice,
        message: "The keys belong to another device or installation.",
        remedy: "Call PushInbox.register at each launch. It replaces the keys of a restored backup."
    )
    static let stateNotPrepared = Self(
        .stateNotPrepared,
        message: "The app hasn't prepared the state that it shares with its extension.",
        remedy: "Call PushInbox.prepare at each launch, before it registers.")
    static let listDamaged = Self(
        .listDamaged,
        message: "The stored list of accepted keys is damaged, so that no message opens.",
        remedy: "Register the device again. The server's answer replaces the list.")
    static let listExpired = Self(
        .listExpired,
        message: "The stored list of accepted keys has expired.",
        remedy:
            """
            Announce the keys again with 'pushcrypt keys announce', and hand the new list out with \
            each answer.
            """)
    static let notRegistered = Self(
        .notRegistered,
        message: "The server has never confirmed a registration of this device.",
        remedy: "Call PushInbox.register, and check its errors and the server's log.")
    static let registrationUnanswered = Self(
        .registrationUnanswered,
        message: "The server hasn't answered the last request.",
        remedy:
            """
            Check the network, the app's session and the server's log. The next launch repeats the \
            request.
            """)
    static let challengeNotOpened = Self(
        .challengeNotOpened,
        message: "A challenge arrived, and the device couldn't open it.",
        remedy: "Look up the error code that the finding names.")
    static let answerRejected = Self(
        .answerRejected,
        message: "The device answered a challenge, and the server hasn't accepted the answer.",
        remedy: """
            Check that the server's and the app's names of the account are equal, that all servers \
            have the same secret, and that the app sends the body unchanged.
            """)
    static let challengeWaiting = Self(
        .challengeWaiting,
        message: "A visible challenge arrived, and the app hasn't answered it.",
        remedy: "Call PushInbox.register at each launch.")
    static let challengeMissing = Self(
        .challengeMissing,
        message: "The server has sent a challenge, and no push has reached the app.",
        remedy: """
            Check that the server sends to the token's environment. Check the background mode \
            remote-notification, and that the app passes background pushes to PushInbox.open.
            """)
    static let tokenNotRegistered = Self(
        .tokenNotRegistered,
        message: "The server knows another device token or account of this device.",
        remedy: "Call PushInbox.register at each launch, and after the user has signed in.")
    static let keyNotRegistered = Self(
        .keyNotRegistered,
        message: "The server knows another key or other accepted keys of this device.",
        remedy: "Call PushInbox.register at each launch, and check its errors.")
    static let registrationOld = Self(
        .registrationOld,
        message: "The server's last confirmation is more than eight days old.",
        remedy: "Call PushInbox.register at each launch, and check its errors.")
    static let clockDiffers = Self(
        .clockDiffers,
        message: "The clocks of the device and the server differ by more than five minutes.",
        remedy: "Set the device's clock automatically, and synchronize the server's.")

    /// All findings that aren't errors.
    static let all = [
        deviceTokenMissing, keysMissing, keysOfAnotherDevice, stateNotPrepared, listDamaged,
        listExpired, notRegistered, registrationUnanswered, challengeNotOpened, answerRejected,
        challengeWaiting, challengeMissing, tokenNotRegistered, keyNotRegistered, registrationOld,
        clockDiffers,
    ]
}
