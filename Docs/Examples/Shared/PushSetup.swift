// Member of all targets that have to do with push: the app, the notification service extension, the content extension.
import PushCryptApple

/// What they must agree on; said here once.
nonisolated struct PushSetup: Sendable {
    /// The group of the capability Keychain Sharing, with your team's id in front: `$(AppIdentifierPrefix)` is filled in in
    /// the file of entitlements only.
    static let accessGroup = "ABCDE12345.com.example.shared"

    /// The group of the capability App Groups; the app and the service extension have it.
    static let appGroup = "group.com.example.app"

    /// Whose pushes are opened: what `pushcrypt keys public --all` prints on your server, a line each.
    ///
    /// This one is a throwaway test key that everybody has. Replace it.
    static let serverKeys = [
        """
        {"kty":"OKP","crv":"Ed25519","use":"sig","kid":"qkHIW5lJtR8chS8jnrWyGU1B9qVeCPnReyeJpVt53Ss",\
        "x":"Ey7XEw8fd2xxeea7Jy-6_9qILSz51hjn-QQNzwCR9JE"}
        """
    ]

    /// Where the device's keys are; tests put others into both places.
    var keys: any KeyringStore = KeychainStore(accessGroup: PushSetup.accessGroup)

    /// Where the log of outcomes and the replay guards are; `nil` where the target lacks the app group.
    var sharedFolder: String? = SharedContainer.path(ofAppGroup: PushSetup.appGroup)

    var senderPolicy: SenderPolicy { .signed(by: Self.serverKeys) }

    /// What is shown where a message does not open; by it the app knows what to open again.
    var fallback: FallbackText { .standard }

    /// For notifications, which the app reads again after the extension.
    var opener: Opener { Opener(keys: keys, senderPolicy: senderPolicy) }

    /// For background pushes, which must not be acted upon twice.
    ///
    /// The guard is not the extension's: a push with an alert and `content-available`, which the server leaves visible, comes
    /// to both. Without the app group it has no file, and every push says so.
    var backgroundOpener: Opener {
        Opener(
            keys: keys, senderPolicy: senderPolicy,
            replayGuard: FileReplayGuard(inSharedFolder: sharedFolder ?? "/no app group", name: "background.ids"))
    }

    /// Makes in the app what the extension could not make: the same keys, guard and settings as there.
    var presenter: NotificationOpener {
        NotificationOpener(
            Opener(
                keys: keys, senderPolicy: senderPolicy,
                replayGuard: sharedFolder.map { FileReplayGuard(inSharedFolder: $0) }),
            fallback: fallback, keepsUserInfoSealed: true, strings: BundleStringTable.containingApp)
    }

    /// What has become of the last notifications; the extension writes it.
    var outcomes: DeliveryLog? { sharedFolder.map { DeliveryLog(inSharedFolder: $0) } }
}
