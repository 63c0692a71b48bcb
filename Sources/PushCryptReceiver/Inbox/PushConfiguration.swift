public import Foundation
public import PushCryptCore
public import PushCryptKeyring
public import PushCryptPayload

/// The settings of an app's pushes, which its extensions share.
///
/// ```swift
/// var configuration = PushConfiguration(keys: store, senderPolicy: .signed(by: "YOUR_SERVER_KEY"))
/// configuration.fallback = FallbackText("New message")
/// let inbox = PushInbox(configuration)
/// ```
///
/// On Apple's platforms, `PushConfiguration.infoPlist` has all that the Info.plist names. The app's
/// ``PushInbox`` and the extension's `SealedNotificationService` use equal settings, so write a
/// function in a file that all targets have. Only the app uses `registration`. Only extensions use
/// `deadline`, `downloader` and `hasFilteringEntitlement`.
public struct PushConfiguration: Sendable {
    // MARK: Opening

    /// The accounts of the app: one without a name, or several with names of their own.
    public var accounts: [PushAccount]

    /// The service that delivers the app's pushes, which decides the location of the sealed value.
    public var carrier = Carrier.apns

    /// The openers of pushes in other formats, in the order in which they are asked.
    public var foreignOpeners: [any ForeignOpener] = []

    /// The treatment of payloads that aren't sealed; by default they are rejected.
    public var unsealedPayloads = UnsealedPayloads.reject

    /// The limits for a message's age; by default its lifetime, and 48 hours in the future.
    public var freshness = Freshness.standard

    /// A Boolean value that indicates whether messages are rejected if the replay guard can't be
    /// used; `false` by default.
    public var requiresReplayGuard = false

    // MARK: Displaying

    /// The body that is displayed if a message can't be opened; `(Encrypted)` by default.
    public var fallback = FallbackText.standard

    /// The time in seconds, 0 to 30, after which the best content so far is displayed; 20 by
    /// default.
    ///
    /// The system ends an extension after about 30 seconds.
    public var deadline: TimeInterval = 20

    /// The choice of display while the user's own choice is lost; ``NotificationDisplay/nothing``
    /// by default.
    ///
    /// That is so after the app's files were restored or deleted, until the app starts, and if the
    /// file is damaged. An app that doesn't let the user choose sets ``NotificationDisplay/full``.
    public var mostPrivateDisplay = NotificationDisplay.nothing

    /// The app's string table for localization keys in the original; `nil` displays the keys
    /// themselves.
    public var strings: (any StringTable)?

    /// The downloader of the attachments of signed messages; `nil` displays none.
    public var downloader: (any AttachmentDownloader)?

    /// A Boolean value that indicates whether Apple has granted the extension the filtering
    /// entitlement; `false` by default.
    ///
    /// With `com.apple.developer.usernotifications.filtering`, a withdrawal and a dropped message
    /// display nothing. Without it, they display a quiet notification: the system ignores empty
    /// content.
    public var hasFilteringEntitlement = false

    /// A Boolean value that indicates whether the app's badge is counted on this device; `false` by
    /// default.
    ///
    /// It's the number of displayed notifications, unless the original has a badge. Call
    /// ``PushInbox/clear()`` when the user has read them.
    public var countsBadge = false

    /// A Boolean value that indicates whether `userInfo` stays sealed until the inbox reads it;
    /// `true` by default.
    ///
    /// With `false`, `userInfo` becomes the original payload, for an app or a framework that reads
    /// it itself. The payload of a foreign opener always replaces it.
    public var keepsUserInfoSealed = true

    /// A Boolean value that indicates whether the delivered badge, sound, thread, category and
    /// similar attributes stay if the original doesn't have them; `false` by default.
    ///
    /// Anyone who can send pushes to the app chooses them.
    public var keepsDeliveredAttributes = false

    // MARK: Storing

    /// The path of the directory that the app and its extensions share; `nil` stores nothing.
    ///
    /// Without it, there is no replay guard, no withdrawal, no choice of display and no delivery
    /// log.
    public var directory: String?

    /// The device's secrets, with which receipts are written and the stored files are recognized;
    /// `nil` does neither.
    public var secrets: (any DeviceSecretsStore)?

    // MARK: Registering

    /// The settings of the device's registration with the server.
    public var registration = RegistrationSettings()

    // MARK: Testing

    /// The source of the time.
    public var time: any TimeSource = SystemTime()

    /// Gives a stored file the platform's attributes, and creates it if it's missing.
    package var create: @Sendable (_ path: String) -> Void = { _ in }

    /// Runs work while the system doesn't suspend the app, because it ends a suspended app that
    /// locks a shared file.
    package var inBackground:
        @Sendable (_ work: @escaping @Sendable () async -> Void) async -> Void = { await $0() }

    /// Has an inbox catch up when the app becomes active and when the device is unlocked.
    package var followApp: @Sendable (_ inbox: PushInbox) -> Void = { _ in }

    /// Gets each event of an inbox without a log of its own.
    package var log: (@Sendable (PushEvent) -> Void)?

    /// What is wrong with the settings of the Info.plist.
    package var problems: [PushCryptError] = []

    /// Creates settings for several accounts.
    public init(accounts: [PushAccount] = []) { self.accounts = accounts }

    /// Creates settings for one account.
    ///
    /// - Parameters:
    ///   - keys: The store of the device's private keys. An app that registers with it passes a
    ///     ``KeyringStore``.
    ///   - senderPolicy: The senders whose messages are opened.
    public init(keys: any KeyStore, senderPolicy: SenderPolicy) {
        self.init(accounts: [PushAccount("", keys: keys, senderPolicy: senderPolicy)])
    }

    /// The opener of messages without notifications, such as a Live Activity's values in a widget.
    ///
    /// It has no replay guard, because a widget is drawn many times.
    public var opener: Opener {
        Opener(accounts: accounts, freshness: freshness, carrier: carrier, time: time)
    }

    /// Finds the first setting that isn't valid.
    ///
    /// - Throws: ``PushCryptError`` with `invalidConfiguration`, or the error of a sender policy or
    ///   of the app group.
    public func check() throws(PushCryptError) {
        if let problem = problems.first { throw problem }
        for account in accounts { _ = try account.senderPolicy.roots }
        _ = try SealedPlace(of: carrier)
        try registration.check()
        let names = names
        guard Set(names).count == names.count else {
            throw PushCryptError(
                .invalidConfiguration,
                "Two accounts or foreign openers have the same name. Give each its own name.")
        }
        guard !names.isEmpty else {
            throw PushCryptError(
                .invalidConfiguration,
                "The configuration has neither an account nor a foreign opener. Add one.")
        }
        if let name = foreignOpeners.map(\.name).first(where: { !Self.isName($0) }) {
            throw PushCryptError(
                .invalidConfiguration,
                """
                The name of the foreign opener, \(name.count) characters, isn't valid. Use 1 to 24 \
                lowercase letters, digits and hyphens.
                """)
        }
        guard !countsBadge || directory != nil else {
            throw PushCryptError(
                .invalidConfiguration,
                "The badge is counted in the shared directory, which is missing. Set it.")
        }
    }

    /// The names of the accounts and of the foreign openers, which the store keeps apart.
    var names: [String] { accounts.map(\.name) + foreignOpeners.map(\.name) }

    private static func isName(_ name: String) -> Bool {
        (1...24).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                (97...122).contains($0) || (48...57).contains($0) || $0 == 45
            }
    }
}
