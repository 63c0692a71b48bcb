public import PushCryptReceiver

extension SharedState {
    /// Names the stores in the directory that the app and its extensions share.
    ///
    /// ```swift
    /// let state = SharedContainer.path.map { SharedState(inSharedDirectory: $0) }
    /// try state?.prepare(display: .full)
    /// ```
    ///
    /// The stores can be used after the first unlock, like the keys, except for the delivery log: the passcode doesn't
    /// protect it, so that the extension can write to it before. All of them are excluded from backups.
    ///
    /// - Parameters:
    ///   - directory: The shared directory, ``SharedContainer/path``.
    ///   - secrets: The device's secrets; by default in the keychain, with the Info.plist's `PushCryptKeychainGroup`.
    ///   - countsBadge: `true` sets the app's badge to the number of displayed notifications, unless the original has a
    ///     badge.
    ///   - mostPrivateDisplay: The choice of display while the user's own choice is lost, until the app sets it again.
    public init(
        inSharedDirectory directory: String, secrets: any DeviceSecretsStore = KeychainSecretsStore(),
        countsBadge: Bool = false, mostPrivateDisplay: NotificationDisplay = .nothing
    ) {
        self.init(
            directory: directory, secrets: secrets, countsBadge: countsBadge, mostPrivateDisplay: mostPrivateDisplay)
        create = { SharedContainer.create($0) }
    }
}
