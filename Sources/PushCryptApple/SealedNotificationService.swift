public import Foundation
public import PushCryptReceiver
public import UserNotifications

/// A notification service extension that opens sealed pushes: subclass it, say where the keys are and whose messages are
/// accepted, and name the subclass in the extension's Info.plist (`NSExtensionPrincipalClass`).
///
/// Each request's content handler is called exactly once, in time, and never without text, whatever the order of opening,
/// the deadline, the system's expiry and ``customizedContent(for:)``; any number of requests may overlap, in one instance or several.
/// The properties are read once for each instance, when its first request comes, and must return at once.
///
/// Source: Apple, "Modifying content in newly delivered notifications".
open class SealedNotificationService: UNNotificationServiceExtension {
    // MARK: What a subclass says

    /// Where the device's keys are: a `KeychainStore` or a `KeyringFileStore`.
    open var keys: any KeyStore { NoKeys() }

    /// Whose messages are opened.
    open var senderPolicy: SenderPolicy {
        .unusable(PushCryptError(.unknownSigner, "Override senderPolicy in the subclass of SealedNotificationService."))
    }

    /// The app group that app and extension share; the log of outcomes and the replay guard are in its container.
    ///
    /// Without one there is neither.
    open var appGroup: String? { nil }

    /// The folder for the log of outcomes and the replay guard; by default the app group's container.
    open var sharedFolder: String? { appGroup.flatMap(SharedContainer.path) }

    /// What is shown where a message is not opened; `(Encrypted)` by default.
    open var fallback: FallbackText { .standard }

    /// After how many seconds the best content so far is shown: 20 by default, 30 at the most.
    open var deadline: TimeInterval { 20 }

    /// What to do with a payload that is not sealed: the fallback, by default.
    open var plaintext: NotificationOpener.UnsealedPayloads { .refuse }

    /// Whether `userInfo` stays sealed after opening, so that the app opens it again; by default it does not.
    open var keepsUserInfoSealed: Bool { false }

    /// How old a message may be; 30 days and 48 hours by default.
    open var freshness: Freshness { .standard }

    /// In which table the loc-keys of an original are looked up; by default in the app's, as the system does.
    open var strings: (any StringTable)? { BundleStringTable.containingApp }

    /// What remembers the messages that were shown; by default a file in ``sharedFolder``.
    open var replayGuard: (any ReplayGuard)? {
        sharedFolder.map { FileReplayGuard(inSharedFolder: $0, freshness: freshness) }
    }

    /// Where it is noted what became of each notification; by default a file in ``sharedFolder``.
    open var outcomes: DeliveryLog? {
        sharedFolder.map { DeliveryLog(inSharedFolder: $0) }
    }

    /// A step of the app on what was opened: a contact's name, a local picture, `updating(from:)` for a communication
    /// notification.
    ///
    /// It may be slow or throw: the opened text is safe, and when time runs out, what was opened or
    /// ``OpenedNotification/keep(_:)`` has got last is shown. It runs on no particular thread, for several requests at once.
    ///
    /// - Parameter notification: what was opened.
    /// - Returns: what to show; without any text it is not taken.
    /// - Throws: anything; what was there before is shown then.
    open func customizedContent(for notification: OpenedNotification) async throws -> UNNotificationContent {
        notification.content
    }

    /// Gets what happens, after it has, for the app's own log; on any thread.
    ///
    /// - Parameter event: what has happened; nothing of the content, but for the payload of an opened message.
    open func log(_ event: NotificationHandler.Event) {}

    // MARK: What the system calls

    /// Opens the request's content; the system calls it.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - contentHandler: gets what to show, exactly once.
    open override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        // Held by the request, and not by the handler, which would hold its own owner for ever.
        let service = UncheckedSendable(self)
        handler().handle(
            request, customizedContent: { try await service.value.customizedContent(for: $0) },
            log: { service.value.log($0) },
            contentHandler: contentHandler)
    }

    /// Hands over the best content so far of every request that is under way; the system calls it.
    open override func serviceExtensionTimeWillExpire() {
        made.withLock { $0 }?.expire()
    }

    // MARK: The handler

    private let made = LockedValue<NotificationHandler?>(nil)

    private func handler() -> NotificationHandler {
        if let handler = made.withLock({ $0 }) { return handler }
        // Made outside of the lock, which expiry needs, too: nobody knows what a subclass does in its properties.
        let new = makeHandler()
        return made.withLock { made in
            let handler = made ?? new
            made = handler
            return handler
        }
    }

    private func makeHandler() -> NotificationHandler {
        if let appGroup, sharedFolder == nil {
            log(
                .outcomeLogFailed(
                    PushCryptError(
                        .deliveryLogUnavailable,
                        """
                        This target does not have the app group \(appGroup): there is no log of outcomes and no replay \
                        guard. Add the App Groups capability with it to the app's and the extension's target.
                        """)))
        }
        return NotificationHandler(
            NotificationOpener(
                Opener(keys: keys, senderPolicy: senderPolicy, freshness: freshness, replayGuard: replayGuard),
                fallback: fallback, plaintext: plaintext, keepsUserInfoSealed: keepsUserInfoSealed, strings: strings),
            deadline: deadline, outcomes: outcomes)
    }
}

/// What stands for the keys until a subclass says where they are.
private struct NoKeys: KeyStore {
    func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey {
        throw PushCryptError(.keyUnreadable, "Override keys in the subclass of SealedNotificationService.")
    }
}
