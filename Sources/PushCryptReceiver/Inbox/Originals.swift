internal import PushCryptCore
internal import PushCryptPayload

/// The content for each result of opening, as the app's configuration has it.
struct Originals: Sendable {
    let configuration: PushConfiguration

    private var fallback: FallbackText { configuration.fallback }

    /// Returns the content for an opened message: the original, or the part of it that the user has
    /// chosen.
    ///
    /// - Throws: ``PushCryptError`` with `noAlertText`, `typeMismatch`, or another code if the
    ///   payload isn't one of the message's kind.
    func presented(
        _ message: OpenedMessage, _ found: LookUp, replacing notification: DeliveredNotification
    ) throws(PushCryptError) -> Presented {
        let push = message.placed.push
        switch push.kind {
        case .withdrawal: return withdrawal(message, found.display)
        case .challenge: return try challenge(message, found.display)
        default: break
        }
        switch found.verdict {
        case .withdrawn: return withdrawn(push)
        case .possiblyWithdrawn: return presented(notification, failing: Self.possiblyWithdrawn)
        case .free: return try original(message, found, replacing: notification)
        }
    }

    private func original(
        _ message: OpenedMessage, _ found: LookUp, replacing notification: DeliveredNotification
    ) throws(PushCryptError) -> Presented {
        let push = message.placed.push
        var content = notification.content.replaced(
            by: message.payload, strings: configuration.strings,
            keepingDelivered: configuration.keepsDeliveredAttributes)
        content.originalPayload = try originalPayload(
            of: message, adding: notification.addedMembers)
        guard content.hasText else {
            throw PushCryptError(
                .noAlertText,
                """
                The opened payload has no title, subtitle or body. Send it as a background push \
                instead.
                """)
        }
        let isFull = found.display == .full
        let displayed = content.reduced(to: found.display, fallback)
        let kind: PushOutcome.Kind = push.isRepeated ? .repeated : isFull ? .opened : .reduced
        var presented = Presented(
            push.isRepeated ? displayed.silent : displayed, PushOutcome(kind, push))
        presented.original = OriginalText(message.payload, content)
        presented.earlier = push.isRepeated && !isFull ? .reduced : nil
        presented.isOutdated = found.isOutdated
        return presented
    }

    /// Returns the payload for `userInfo`; `nil` if it stays sealed.
    ///
    /// The inbox opens a sealed payload again when it reads the notification. It can't do so for a
    /// foreign one.
    private func originalPayload(
        of message: OpenedMessage, adding delivered: [String: JSONValue]
    ) throws(PushCryptError) -> [String: JSONValue]? {
        guard !configuration.keepsUserInfoSealed || message.isForeign else { return nil }
        return try SealedPlace(of: configuration.carrier).opened(message.payload, adding: delivered)
    }

    /// Returns the content for an opened withdrawal, which may have words of its own.
    private func withdrawal(_ message: OpenedMessage, _ display: NotificationDisplay) -> Presented {
        let own = NotificationContent(delivered: message.payload, strings: configuration.strings)
        let content = display == .full ? quietContent(own) : quietContent()
        var presented = Presented(content, PushOutcome(.withdrawal, message.placed.push))
        presented.withdrawal = message.withdrawal
        return presented
    }

    /// Returns the content for an opened challenge: the server's words, or the app's own.
    ///
    /// Its nonce isn't in `userInfo`. The app opens the stored value again.
    private func challenge(
        _ message: OpenedMessage, _ display: NotificationDisplay
    ) throws(PushCryptError) -> Presented {
        let push = message.placed.push
        _ = try ChallengeContent(parsing: push.payload)
        let own = NotificationContent(delivered: message.payload, strings: configuration.strings)
        let hasOwnWords = own.hasText && display == .full
        // The filtering entitlement doesn't hide it: the user must start the app.
        var content = hasOwnWords ? own : NotificationContent(body: fallback.hiddenBody)
        content.losesSealedValue = true
        return Presented(push.isRepeated ? content.silent : content, PushOutcome(.challenge, push))
    }

    /// Returns the content for a message that the app doesn't display.
    func dropped(_ push: OpenedPush) -> Presented {
        Presented(quietContent(), PushOutcome(.dropped, push))
    }

    /// Returns the content for a message that the server has withdrawn.
    func withdrawn(_ push: OpenedPush) -> Presented {
        Presented(quietContent(), PushOutcome(.withdrawn, push))
    }

    /// Returns the content for a notification without an opened message.
    func presented(
        _ notification: DeliveredNotification, failing error: PushCryptError,
        display: () -> NotificationDisplay = { .full }
    ) -> Presented {
        if error.code == .replayed { return replayed(because: error) }
        if error.code == .notSealed, configuration.unsealedPayloads == .allow,
            notification.content.hasText
        {
            var content = notification.content.reduced(to: display(), fallback)
            content.keepsDeliveredMembers = true
            return Presented(content, PushOutcome(.unsealed))
        }
        let body = fallback.text(for: error.code)
        return Presented(
            notification.content.fallback(body), PushOutcome(.fallback, failure: error))
    }

    /// Returns the content for a message that was opened more than an hour ago.
    ///
    /// Its `userInfo` loses the sealed value, so that the app doesn't read the message under this
    /// notification.
    private func replayed(because error: PushCryptError) -> Presented {
        var content = quietContent()
        content.losesSealedValue = true
        return Presented(content, PushOutcome(.replayed, failure: error))
    }

    /// Returns content that displays nothing, or without the entitlement, quiet content.
    ///
    /// Preferred content without words is replaced by the app's own body.
    private func quietContent(_ preferred: NotificationContent = NotificationContent())
        -> NotificationContent
    {
        guard !configuration.hasFilteringEntitlement else { return NotificationContent() }
        var content =
            preferred.hasText ? preferred : NotificationContent(body: fallback.droppedBody)
        content.sound = nil
        content.interruptionLevel = .passive
        return content
    }

    static let possiblyWithdrawn = PushCryptError(
        .possiblyWithdrawn,
        """
        The message may have been withdrawn: the list of withdrawals was lost, or got full, after \
        it was issued. Seal the message again after the app has started.
        """)
}
