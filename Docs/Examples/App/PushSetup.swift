// A member of the app's target, and of each other target that reads pushes.
import PushCryptApple

/// The settings for reading pushes.
///
/// The groups and the server's key come from the Info.plist of each target.
nonisolated struct PushSetup: Sendable {
    /// The store of the device's keys.
    var keys: any KeyringStore = KeychainStore()

    /// The server's keys.
    var senderPolicy = SenderPolicy.infoPlist

    /// The downloader of attachments, with the hosts to which your server uploads them.
    var downloader: any AttachmentDownloader = URLSessionDownloader(hosts: ["media.example.com"])

    /// The directory of the delivery log and the replay guards; `nil` if the target isn't in the app group.
    var sharedDirectory: String? = SharedContainer.path

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
            keepsUserInfoSealed: true, strings: BundleStringTable.containingApp,
            shared: sharedDirectory.map { SharedNotifications(inSharedDirectory: $0) })
    }

    /// The log of the last notifications, which the extension writes.
    var deliveryLog: DeliveryLog? { sharedDirectory.map { DeliveryLog(inSharedDirectory: $0) } }
}
