public import PushCryptCore

/// The state that an app and its extensions share: the device's secrets, and the stores that carry their epoch.
///
/// ```swift
/// let state = SharedState(directory: "/path/of/the/app/group", secrets: InMemorySecretsStore())
/// try state.prepare(display: .full)
/// let opener = Opener(
///     keys: store, senderPolicy: policy, replayGuard: state.replayGuard, secrets: state.secrets)
/// ```
///
/// The app prepares it at each launch, and before it registers a new account. After the app was deleted and installed
/// again, or its files were restored, the secrets are still there and the stores aren't. The stores then begin at that
/// moment, so that recorded messages don't open again.
public struct SharedState: Sendable {
    /// The path of the directory with the stores.
    public let directory: String

    /// The device's secrets.
    public let secrets: any DeviceSecretsStore

    private let countsBadge: Bool
    private let mostPrivateDisplay: NotificationDisplay
    private let time: any TimeSource

    /// Gives a file the platform's attributes, and creates it if it's missing.
    package var create: @Sendable (_ path: String) -> Void = { _ in }

    /// Names the stores without opening them.
    ///
    /// - Parameters:
    ///   - directory: The path of an existing directory, in the app group's container.
    ///   - secrets: The device's secrets. They are read once for this value and its stores.
    ///   - countsBadge: `true` sets the app's badge to the number of displayed notifications, unless the original has a
    ///     badge.
    ///   - mostPrivateDisplay: The choice of display while the user's own choice is lost, until the app sets it again.
    ///     An app that doesn't let the user choose names ``NotificationDisplay/full``.
    ///   - time: The source of the time.
    public init(
        directory: String, secrets: any DeviceSecretsStore, countsBadge: Bool = false,
        mostPrivateDisplay: NotificationDisplay = .nothing, time: any TimeSource = SystemTime()
    ) {
        self.directory = directory
        self.secrets = CachedSecretsStore.reading(secrets)
        self.countsBadge = countsBadge
        self.mostPrivateDisplay = mostPrivateDisplay
        self.time = time
    }

    // MARK: Stores

    /// The replay guard of displayed notifications.
    public var replayGuard: FileReplayGuard { replayGuard(named: "pushcrypt.ids") }

    /// The replay guard of pushes that the app opens itself, such as background pushes.
    public var backgroundGuard: FileReplayGuard { replayGuard(named: "pushcrypt.background") }

    private func replayGuard(named name: String) -> FileReplayGuard {
        var replayGuard = FileReplayGuard(path: directory + "/" + name, secrets: secrets)
        replayGuard.create = create
        return replayGuard
    }

    /// The displayed notifications, the withdrawals and the user's choice of display.
    public var notifications: SharedNotifications {
        var shared = SharedNotifications(
            directory: directory, countsBadge: countsBadge, mostPrivateDisplay: mostPrivateDisplay, secrets: secrets,
            time: time)
        shared.create = create
        return shared
    }

    /// The log of the last notifications.
    public var deliveryLog: DeliveryLog {
        let path = directory + "/pushcrypt.outcomes"
        create(path)
        return DeliveryLog(path: path, secrets: secrets, time: time)
    }

    /// The keys of removed accounts.
    public var removedKeys: RemovedKeys {
        let path = directory + "/pushcrypt.removed"
        create(path)
        return RemovedKeys(path: path)
    }

    /// The visible challenges that the extension has opened, which the app's ``DeviceRegistrar`` answers.
    public var challenges: StoredChallenges { notifications.challenges }

    // MARK: Preparation

    /// Creates the secrets if they are missing, and gives each store their epoch.
    ///
    /// Only the app calls it: at each launch, again when the device is unlocked if it threw `deviceLocked`, and before
    /// it registers a new account. A store without the epoch begins now, unless the secrets are new too. Messages that
    /// were issued before are then rejected as `possiblyReplayed` or `possiblyWithdrawn`, except those to newer keys.
    ///
    /// - Parameters:
    ///   - accounts: The names of all accounts.
    ///   - display: The user's choice of display, from the app's settings; ``NotificationDisplay/full`` if the app has
    ///     no such setting.
    /// - Throws: ``PushCryptError`` with `deviceLocked`, `missingEntitlement` or `keyUnreadable` if the secrets can't
    ///   be used now, or an error of a file. Stores that weren't prepared begin when they are first used.
    public func prepare(accounts: [String] = [""], display: NotificationDisplay) throws(PushCryptError) {
        let found = try secrets.readOrCreate()
        _ = deliveryLog
        _ = removedKeys
        // First the choice of display, because the other stores can't show more than it allows.
        try notifications.prepare(found, display: display)
        for replayGuard in [replayGuard, backgroundGuard] {
            for account in accounts { try replayGuard.prepare(account: account, found, now: time.now) }
        }
    }
}
