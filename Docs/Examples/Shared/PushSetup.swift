// A member of the app's target and of both extensions' targets.
import PushCryptApple

/// The settings that the targets share.
nonisolated struct PushSetup: Sendable {
    /// The group of the capability Keychain Sharing, after your team's id.
    static let accessGroup = "ABCDE12345.com.example.shared"

    /// The group of the capability App Groups, in the app and the service extension.
    static let appGroup = "group.com.example.app"

    /// The server's verification keys, as `pushcrypt keys public --all` prints them.
    ///
    /// This is a public throwaway test key. Replace it.
    static let serverKeys = [
        """
        {"kty":"OKP","crv":"Ed25519","use":"sig","kid":"qkHIW5lJtR8chS8jnrWyGU1B9qVeCPnReyeJpVt53Ss",\
        "x":"Ey7XEw8fd2xxeea7Jy-6_9qILSz51hjn-QQNzwCR9JE"}
        """
    ]

    /// The store of the device's keys.
    var keys: any KeyringStore = KeychainStore(accessGroup: PushSetup.accessGroup)

    /// The downloader of attachments, with the hosts to which your server uploads them.
    var downloader: any AttachmentDownloader = URLSessionDownloader(hosts: ["media.example.com"])

    /// The directory of the delivery log and the replay guards; `nil` if the target isn't in the app group.
    var sharedDirectory: String? = SharedContainer.path(ofAppGroup: PushSetup.appGroup)

    var senderPolicy: SenderPolicy { .signed(by: Self.serverKeys) }

    /// The text for messages that can't be opened, by which the app knows what to open again.
    var fallback: FallbackText { .standard }

    /// The opener for notifications, which the app reads after the extension.
    var opener: Opener { Opener(keys: keys, senderPolicy: senderPolicy) }

    /// The opener for background pushes, which the app must not handle twice.
    ///
    /// It has its own guard, because a push with an alert and an exposed `content-available` comes to the extension too.
    /// Without the app group, every push reports a failure of the guard.
    var backgroundOpener: Opener {
        Opener(
            keys: keys, senderPolicy: senderPolicy,
            replayGuard: FileReplayGuard(inSharedDirectory: sharedDirectory ?? "/no app group", name: "background.ids"))
    }

    /// The opener for notifications that the extension couldn't open, with the extension's keys, guard and settings.
    var notificationOpener: NotificationOpener {
        NotificationOpener(
            Opener(
                keys: keys, senderPolicy: senderPolicy,
                replayGuard: sharedDirectory.map { FileReplayGuard(inSharedDirectory: $0) }),
            fallback: fallback, keepsUserInfoSealed: true, strings: BundleStringTable.containingApp)
    }

    /// The log of the last notifications, which the extension writes.
    var deliveryLog: DeliveryLog? { sharedDirectory.map { DeliveryLog(inSharedDirectory: $0) } }
}
