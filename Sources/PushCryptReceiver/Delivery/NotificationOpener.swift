internal import PushCryptCore
public import PushCryptPayload

/// Opens delivered notifications: returns the original, or the fallback if a check fails.
///
/// ```swift
/// let opener = NotificationOpener(
///     Opener(keys: store, senderPolicy: .signed(by: "YOUR_SERVER_KEY")),
///     fallback: FallbackText("New message"))
/// let result = opener.open(try DeliveredNotification(json: json))
/// print(result.content.body, result.outcome.failure?.code.rawValue ?? "opened")
/// ```
public struct NotificationOpener: Sendable {
    package var opener: Opener
    package let fallback: FallbackText
    package var unsealedPayloads: UnsealedPayloads
    let keepsUserInfoSealed: Bool
    private let keepsDeliveredAttributes: Bool
    private let strings: (any StringTable)?
    private let hasFilteringEntitlement: Bool
    package let shared: SharedNotifications?

    /// Creates an opener of notifications.
    ///
    /// - Parameters:
    ///   - opener: The opener of messages.
    ///   - fallback: The body that is displayed if a message can't be opened.
    ///   - unsealedPayloads: The treatment of payloads that aren't sealed.
    ///   - keepsUserInfoSealed: `true` leaves `userInfo` sealed. The app then opens it again when it needs it, and
    ///     knows the sender.
    ///   - keepsDeliveredAttributes: `true` leaves the delivered badge, sound, thread, category and similar attributes
    ///     if the original doesn't have them. Anyone who can send pushes to the app chooses them.
    ///   - strings: The app's string table for localization keys in the original; `nil` displays the keys themselves.
    ///   - hasFilteringEntitlement: `true` if Apple has granted the extension the entitlement
    ///     `com.apple.developer.usernotifications.filtering`, without which it must display something.
    ///   - shared: The user's choice of display, and the displayed notifications for withdrawals; `nil` displays all of
    ///     the original, and removes nothing.
    public init(
        _ opener: Opener, fallback: FallbackText = .standard, unsealedPayloads: UnsealedPayloads = .reject,
        keepsUserInfoSealed: Bool = false, keepsDeliveredAttributes: Bool = false,
        strings: (any StringTable)? = nil, hasFilteringEntitlement: Bool = false, shared: SharedNotifications? = nil
    ) {
        self.opener = opener
        self.fallback = fallback
        self.unsealedPayloads = unsealedPayloads
        self.keepsUserInfoSealed = keepsUserInfoSealed
        self.keepsDeliveredAttributes = keepsDeliveredAttributes
        self.strings = strings
        self.hasFilteringEntitlement = hasFilteringEntitlement
        self.shared = shared
    }

    /// Opens a notification, and returns when the key store does.
    public func open(_ notification: DeliveredNotification) -> NotificationResult { open(notification) { true } }

    /// Opens a notification, unless its result isn't wanted any more.
    func open(_ notification: DeliveredNotification, isWanted: () -> Bool) -> NotificationResult {
        do throws(PushCryptError) {
            let envelope = try notification.sealedValue.get().envelope()
            let push = try opener.open(
                envelope: envelope, as: MessageKind.alert, deliveredAt: notification.date, acceptingRepeats: true,
                isWanted: isWanted)
            let payload = try JSONValue(forDisplay: push.payload).objectValue ?? [:]
            if push.kind == .withdrawal { return try withdrawal(push, payload) }
            if push.kind == .challenge { return try challenge(push, payload) }
            return try original(of: push, payload, replacing: notification)
        } catch {
            if error.code == .replayed { return replayed(because: error) }
            return unsealed(notification, error) ?? fallback(for: notification, because: error)
        }
    }

    /// The part of notifications to display, as the user has chosen.
    var display: NotificationDisplay { shared?.display ?? .full }

    // MARK: Results

    /// Returns the result for an opened message: the original, or the part of it that the user has chosen.
    private func original(
        of push: OpenedPush, _ payload: [String: JSONValue], replacing notification: DeliveredNotification
    ) throws(PushCryptError) -> NotificationResult {
        var content = notification.content.replaced(
            by: payload, strings: strings, keepingDelivered: keepsDeliveredAttributes)
        let delivery = try CarrierDelivery(of: opener.carrier)
        content.originalPayload =
            keepsUserInfoSealed ? nil : delivery.opened(payload, adding: notification.addedMembers)
        guard content.hasText else {
            throw PushCryptError(
                .noAlertText,
                "The opened payload has no title, subtitle or body. Send it as a background push instead.")
        }
        let original = OriginalText(payload, content)
        let part = display
        let displayed = part == .full ? content : content.reduced(to: part, fallback)
        guard !push.isRepeated else {
            let state: DisplayedState? = part == .full ? nil : .reduced
            return NotificationResult(
                content: displayed.silent, presentation: .repeated(push, original, state))
        }
        return NotificationResult(
            content: displayed,
            presentation: part == .full ? .opened(push, original) : .reduced(push, original))
    }

    /// Returns the result for an opened withdrawal, which may have words of its own.
    private func withdrawal(
        _ push: OpenedPush, _ payload: [String: JSONValue]
    ) throws(PushCryptError) -> NotificationResult {
        let withdrawal = try Withdrawal(payload)
        let own = NotificationContent(delivered: payload, strings: strings)
        let content = display == .full ? quietContent(own) : quietContent()
        return NotificationResult(content: content, presentation: .withdrawal(push, withdrawal))
    }

    /// Returns the result for an opened challenge: the server's words, or the app's own.
    ///
    /// Its nonce isn't in `userInfo`. The app opens the stored value again.
    private func challenge(
        _ push: OpenedPush, _ payload: [String: JSONValue]
    ) throws(PushCryptError) -> NotificationResult {
        _ = try ChallengeContent(parsing: push.payload)
        let own = NotificationContent(delivered: payload, strings: strings)
        let hasOwnWords = own.hasText && display == .full
        // The filtering entitlement doesn't hide it: the user must start the app.
        var content = hasOwnWords ? own : NotificationContent(body: fallback.hiddenBody)
        content.losesSealedValue = true
        return NotificationResult(
            content: push.isRepeated ? content.silent : content, presentation: .challenge(push))
    }

    /// Returns the result for an opened message that isn't displayed.
    func dropped(_ push: OpenedPush) -> NotificationResult {
        NotificationResult(content: quietContent(), presentation: .dropped(push))
    }

    /// Returns the result for a message that was opened more than an hour ago.
    ///
    /// Its `userInfo` loses the sealed value, so that the app doesn't read the message under this notification.
    private func replayed(because error: PushCryptError) -> NotificationResult {
        var content = quietContent()
        content.losesSealedValue = true
        return NotificationResult(content: content, presentation: .replayed(error))
    }

    /// Returns the result for a payload that isn't sealed; `nil` if the app rejects it, or for another error.
    private func unsealed(_ notification: DeliveredNotification, _ error: PushCryptError) -> NotificationResult? {
        guard error.code == .notSealed, unsealedPayloads == .allow, notification.content.hasText else { return nil }
        var content = notification.content.reduced(to: display, fallback)
        content.keepsDeliveredMembers = true
        return NotificationResult(content: content, presentation: .unsealed)
    }

    /// Returns the fallback for a notification that can't be opened.
    func fallback(for notification: DeliveredNotification, because error: PushCryptError) -> NotificationResult {
        let body = fallback.text(for: error.code)
        return NotificationResult(content: notification.content.fallback(body), presentation: .fallback(error))
    }

    /// Returns content that displays nothing, or without the entitlement, quiet content.
    ///
    /// Preferred content without words is replaced by the app's own body.
    private func quietContent(_ preferred: NotificationContent = NotificationContent()) -> NotificationContent {
        guard !hasFilteringEntitlement else { return NotificationContent() }
        var content = preferred.hasText ? preferred : NotificationContent(body: fallback.droppedBody)
        content.sound = nil
        content.interruptionLevel = .passive
        return content
    }
}

extension OriginalText {
    /// Takes the text from the opened content, and the category and the thread from the payload, because a delivered
    /// attribute may stay in the content.
    fileprivate init(_ payload: [String: JSONValue], _ content: NotificationContent) {
        var text = NotificationContent(title: content.title, subtitle: content.subtitle, body: content.body)
        text.categoryIdentifier = payload["aps"]?["category"]?.stringValue ?? ""
        self.init(content: text, thread: payload["aps"]?["thread-id"]?.stringValue ?? "")
    }
}
