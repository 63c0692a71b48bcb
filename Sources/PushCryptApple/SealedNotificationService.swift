internal import Dispatch
public import Foundation
public import PushCryptReceiver
internal import PushCryptSystem
public import UserNotifications

#if canImport(os)
internal import os
#endif

/// A notification service extension that opens sealed pushes.
///
/// Subclass it, and name the subclass in the extension's Info.plist as `NSExtensionPrincipalClass`:
///
/// ```swift
/// nonisolated class NotificationService: SealedNotificationService {
///     override var keepsUserInfoSealed: Bool { true }
/// }
/// ```
///
/// The Info.plist has the settings `PushCryptKeychainGroup`, `PushCryptAppGroup` and `PushCryptServerKey`, and for
/// attachments `PushCryptAttachmentHosts`.
///
/// It calls each request's content handler exactly once, in time, and with text. Opening, the deadline, the expiry and
/// ``customizedContent(for:)`` may end in any order. Requests may overlap. The properties are read once for each
/// instance, when its first request comes, on a thread of the service, and must not block.
///
/// Source: Apple, "Modifying content in newly delivered notifications".
open class SealedNotificationService: UNNotificationServiceExtension {
    // MARK: Properties to override

    /// The store of the device's keys; by default the keychain, with the Info.plist's `PushCryptKeychainGroup`.
    open var keys: any KeyStore { KeychainStore() }

    /// The senders whose messages are opened; by default the keys in the Info.plist's `PushCryptServerKey`.
    open var senderPolicy: SenderPolicy { .infoPlist }

    /// The service that delivers the app's pushes; by default the Info.plist's `PushCryptCarrier`, or APNs.
    ///
    /// The sealed value is read from this carrier's location and from no other. The app's ``Opener`` needs the same.
    open var carrier: Carrier { .infoPlist }

    /// The app's accounts; by default one with ``keys`` and ``senderPolicy``.
    open var accounts: [PushAccount] { [PushAccount("", keys: keys, senderPolicy: senderPolicy)] }

    /// The app group with the delivery log and the replay guard; by default the Info.plist's `PushCryptAppGroup`.
    ///
    /// It's empty if that is missing or invalid. With `nil`, neither is used.
    open var appGroup: String? { (try? InfoPlist().appGroup.get()) ?? "" }

    /// The directory of the delivery log and the replay guard; by default the app group's container.
    open var sharedDirectory: String? { appGroup.flatMap(SharedContainer.path(ofAppGroup:)) }

    /// The body that is displayed if a message can't be opened; `(Encrypted)` by default.
    open var fallback: FallbackText { .standard }

    /// The time in seconds after which the best content so far is displayed; 20 by default, and at most 30.
    open var deadline: TimeInterval { 20 }

    /// The treatment of payloads that aren't sealed; by default they are rejected.
    open var unsealedPayloads: UnsealedPayloads { .reject }

    /// A Boolean value that indicates whether `userInfo` stays sealed, so that the app opens it again; `false` by
    /// default.
    open var keepsUserInfoSealed: Bool { false }

    /// A Boolean value that indicates whether delivered attributes stay if the original doesn't have them; `false` by
    /// default.
    open var keepsDeliveredAttributes: Bool { false }

    /// The limits for a message's age; by default its lifetime, and 48 hours in the future.
    open var freshness: Freshness { .standard }

    /// The downloader of the attachments of signed messages; by default `URLSession` for the hosts in the Info.plist's
    /// `PushCryptAttachmentHosts`.
    ///
    /// Without this setting, nothing is downloaded. A message with an attachment then logs `invalidConfiguration`.
    /// Return `nil` if the app displays no attachments.
    open var attachmentDownloader: (any AttachmentDownloader)? { InfoPlist().attachmentDownloader }

    /// The string table for an original's localization keys; by default the app's.
    open var strings: (any StringTable)? { BundleStringTable.containingApp }

    /// The device's secrets, with which receipts are written; by default in the keychain, with the Info.plist's
    /// `PushCryptKeychainGroup`.
    ///
    /// The app creates them with ``SharedState/prepare(accounts:display:)``. An extension whose ``keys`` are elsewhere
    /// than in the keychain needs another place for them, too.
    open var secrets: any DeviceSecretsStore { KeychainSecretsStore() }

    /// The choice of display while the user's own choice is lost; ``NotificationDisplay/nothing`` by default.
    ///
    /// That is so after the app's files were restored or deleted, until the app starts. An app that doesn't let the
    /// user choose returns ``NotificationDisplay/full``.
    open var mostPrivateDisplay: NotificationDisplay { .nothing }

    /// The memory of displayed messages; by default a file in ``sharedDirectory``.
    open var replayGuard: (any ReplayGuard)? { state?.replayGuard }

    /// A Boolean value that indicates whether messages are rejected if the replay guard can't be used; `false` by
    /// default.
    open var requiresReplayGuard: Bool { false }

    /// The keys of removed accounts; by default a file in ``sharedDirectory``.
    open var removedKeys: RemovedKeys? { state?.removedKeys }

    /// The log of each notification's outcome; by default a file in ``sharedDirectory``.
    open var deliveryLog: DeliveryLog? { state?.deliveryLog }

    /// A Boolean value that indicates whether Apple has granted the extension the filtering entitlement; `false` by
    /// default.
    ///
    /// With `com.apple.developer.usernotifications.filtering`, a withdrawal and ``shouldShow(_:)`` display nothing.
    /// Without it, they display a quiet notification: the system ignores empty content.
    open var hasFilteringEntitlement: Bool { false }

    /// A Boolean value that indicates whether the app's badge is counted on this device; `false` by default.
    ///
    /// It's the number of displayed notifications, unless the original has a badge. Call
    /// ``SharedNotifications/clear()`` when the user has read them.
    open var countsBadge: Bool { false }

    /// Returns a Boolean value that indicates whether an opened message is displayed.
    ///
    /// Return `false` for an edit, a reaction or a message that the user has read elsewhere. It may be slow or throw:
    /// the opened content is displayed instead. It's called for each display that the user has chosen, on any thread.
    ///
    /// - Parameter push: The opened message.
    /// - Returns: `true` to display the message.
    /// - Throws: Any error.
    open func shouldShow(_ push: OpenedPush) async throws -> Bool { true }

    /// Returns an opened notification's content with the app's changes: a contact's name, a picture, or
    /// `updating(from:)` for a communication notification.
    ///
    /// It may be slow or throw: the opened content, or the last content of ``OpenedNotification/update(_:)``, is
    /// displayed instead. It runs on any thread, and for several requests at once. It isn't called if the user has
    /// chosen to see less than the whole content, with ``SharedNotifications/setDisplay(_:)``.
    ///
    /// - Parameter notification: The opened notification.
    /// - Returns: The content to display. Content without a title, a subtitle and a body is ignored.
    /// - Throws: Any error.
    open func customizedContent(for notification: OpenedNotification) async throws -> UNNotificationContent {
        notification.content
    }

    /// Gets each event, for the app's own log, on any thread; by default the system's log gets the failures.
    open func log(_ event: NotificationHandler.Event) {
        #if canImport(os)
        guard let failure = event.failure?.description else { return }
        Logger(subsystem: "PushCrypt", category: "notifications").error("\(failure, privacy: .public)")
        #endif
    }

    // MARK: Calls of the system

    /// Opens a request's content; the system calls it.
    open override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        // The request retains the service. The handler must not, because the service retains the handler.
        let service = UncheckedSendable(value: self)
        let request = UncheckedSendable(value: request)
        let contentHandler = UncheckedSendable(value: contentHandler)
        // The first request reads the properties, and asks the system for the app group's directory. On the system's
        // own thread, that delays the extension's start.
        DispatchQueue(label: "pushcrypt.start", qos: .userInitiated).async(group: starting) {
            service.value.begin(request.value, contentHandler.value)
        }
    }

    private func begin(
        _ request: UNNotificationRequest, _ contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let service = UncheckedSendable(value: self)
        let instance = instance()
        let platform = SystemPlatform(
            delivered: request.content, from: instance.handler.carrier,
            customizedContent: { try await service.value.customizedContent(for: $0) },
            customization: nil, downloader: instance.downloader)
        let app = AppCallbacks(
            shouldShow: { try await service.value.shouldShow($0) },
            log: { service.value.log($0) })
        instance.handler.begin(request, on: platform, for: app, contentHandler: contentHandler)
    }

    /// Hands over the best content so far of every running request; the system calls it.
    ///
    /// A request is running when the properties have been read. While one of them blocks, nothing can be handed over.
    open override func serviceExtensionTimeWillExpire() {
        _ = starting.wait(timeout: .now() + 1)
        created.withLock { $0 }?.handler.expire()
    }

    // MARK: The handler

    /// The objects that all requests of this instance of the service use.
    private struct Instance: Sendable {
        let handler: NotificationHandler
        let downloader: (any AttachmentDownloader)?
    }

    private let created = LockedValue<Instance?>(nil)

    /// The requests whose handling hasn't begun.
    private let starting = DispatchGroup()

    private let createdState = LockedValue<SharedState?>(nil)

    /// The stores of the shared directory, which read the secrets once.
    private var state: SharedState? {
        if let first = createdState.withLock({ $0 }) { return first }
        // Outside of the lock, because a subclass's property may block.
        let new = sharedDirectory.map {
            SharedState(
                inSharedDirectory: $0, secrets: secrets, countsBadge: countsBadge,
                mostPrivateDisplay: mostPrivateDisplay)
        }
        return createdState.withLock { created in
            let first = created ?? new
            created = first
            return first
        }
    }

    private func instance() -> Instance {
        if let first = created.withLock({ $0 }) { return first }
        // Outside of the lock, which the expiry needs: a subclass's property may block.
        let new = Instance(handler: makeHandler(), downloader: attachmentDownloader)
        return created.withLock { created in
            let first = created ?? new
            created = first
            return first
        }
    }

    private func makeHandler() -> NotificationHandler {
        reportMissingAppGroup()
        let opener = Opener(
            accounts: accounts, freshness: freshness, replayGuard: replayGuard,
            requiresReplayGuard: requiresReplayGuard, removedKeys: removedKeys, secrets: state?.secrets ?? secrets,
            carrier: carrier)
        let notificationOpener = NotificationOpener(
            opener, fallback: fallback, unsealedPayloads: unsealedPayloads, keepsUserInfoSealed: keepsUserInfoSealed,
            keepsDeliveredAttributes: keepsDeliveredAttributes, strings: strings,
            hasFilteringEntitlement: hasFilteringEntitlement, shared: state?.notifications)
        return NotificationHandler(notificationOpener, deadline: deadline, deliveryLog: deliveryLog)
    }

    /// Logs the reason why there is no shared directory, unless the app has chosen to have none.
    private func reportMissingAppGroup() {
        guard let appGroup, sharedDirectory == nil else { return }
        if appGroup.isEmpty {
            guard case .failure(let failure) = InfoPlist().appGroup else { return }
            log(NotificationHandler.Event(failure))
        } else {
            let reason = """
                This target doesn't have the app group \(appGroup), so the delivery log, the replay guard and \
                withdrawals are off. Add the App Groups capability with this group to the app's target and to the \
                extension's.
                """
            log(NotificationHandler.Event(PushCryptError(.deliveryLogUnavailable, reason)))
        }
    }
}
