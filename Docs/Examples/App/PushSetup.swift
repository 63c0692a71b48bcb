// A member of the app's target, and of each other target that reads pushes.
import PushCryptApple

/// The settings for reading pushes.
///
/// The groups and the server's key come from the Info.plist of each target.
nonisolated struct PushSetup: Sendable {
    /// The store of the device's keys.
    var keys: any KeyringStore = KeychainStore()

    /// The server's permanent name of the signed-in user, which a proof of possession binds; empty without accounts.
    var account = ""

    /// The keys that sign for the app or for its lists of accepted keys.
    var senderPolicy = SenderPolicy.infoPlist

    /// The service that delivers your pushes: the Info.plist's `PushCryptCarrier`, or APNs.
    var carrier = Carrier.infoPlist

    /// The downloader of attachments, with the hosts to which your server uploads them.
    var downloader: any AttachmentDownloader = URLSessionDownloader(hosts: ["media.example.com"])

    /// The device's secrets, which prove what notifications displayed.
    var secrets: any DeviceSecretsStore = KeychainSecretsStore()

    /// The directory that the app and its extensions share; `nil` if the target isn't in the app group.
    var sharedDirectory: String? = SharedContainer.path

    /// The user's choice of display, from your settings.
    var display = NotificationDisplay.full

    /// The state that the app prepares and the extension uses: replay guards, withdrawals, the choice of display and
    /// the delivery log.
    var state: SharedState? { sharedDirectory.map { SharedState(inSharedDirectory: $0, secrets: secrets) } }

    /// The opener for notifications, which the app reads after the extension.
    var opener: Opener { Opener(keys: keys, senderPolicy: senderPolicy, secrets: secrets, carrier: carrier) }

    /// The opener for background pushes, which the app must not handle twice.
    ///
    /// It has its own guard, because the extension doesn't see these pushes. Without the app group, every push reports a
    /// failure of the guard.
    var backgroundOpener: Opener {
        Opener(
            keys: keys, senderPolicy: senderPolicy,
            replayGuard: state?.backgroundGuard ?? FileReplayGuard(path: "/no app group/ids"), carrier: carrier)
    }

    /// The opener for notifications that the extension couldn't open, with the extension's keys, guard and settings.
    var notificationOpener: NotificationOpener {
        let state = state
        return NotificationOpener(
            Opener(
                keys: keys, senderPolicy: senderPolicy, replayGuard: state?.replayGuard,
                secrets: state?.secrets ?? secrets, carrier: carrier),
            keepsUserInfoSealed: true, strings: BundleStringTable.containingApp, shared: state?.notifications)
    }

    /// The log of the last notifications, which the extension writes.
    var deliveryLog: DeliveryLog? { state?.deliveryLog }
}
