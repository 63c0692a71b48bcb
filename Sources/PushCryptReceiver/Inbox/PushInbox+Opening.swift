internal import Foundation
internal import PushCryptCore
internal import PushCryptPayload

// The steps from a delivered notification to a message that the store knows.
extension PushInbox {
    /// Opens and verifies a sealed message, without the replay guard.
    func verified(
        _ notification: DeliveredNotification, as kinds: [MessageKind]
    ) throws(PushCryptError) -> OpenedPush {
        let envelope = try notification.sealedValue.get().envelope()
        let now = configuration.time.now
        do throws(PushCryptError) {
            return try opener.verified(
                envelope: envelope, as: kinds, deliveredAt: notification.date, now: now)
        } catch {
            throw try removal(of: envelope, after: error, now: now) ?? error
        }
    }

    /// Returns the error for a message to a removed account; `nil` for another one.
    func removal(
        of envelope: [UInt8], after error: PushCryptError, now: Date
    ) throws(PushCryptError) -> PushCryptError? {
        guard error.code == .unknownKey, let store,
            store.removedKeys.contains(try Envelope.keyID(of: envelope), at: now)
        else { return nil }
        return PushCryptError(
            .removedAccount,
            "The message is sealed to an account that was removed. Have its server stop sending.")
    }

    // MARK: Foreign formats

    /// Returns the push for the foreign openers; `nil` if there are none, or if it has a sealed
    /// value somewhere else.
    func foreignPush(of notification: DeliveredNotification) -> ForeignPush? {
        guard !configuration.foreignOpeners.isEmpty,
            case .opened(let payload) = notification.source,
            let members = payload.objectValue, members[Envelope.payloadKey] == nil
        else { return nil }
        return ForeignPush(
            members: members.filter { !SealedPlace.reserved.contains($0.key) },
            identifier: notification.identifier)
    }

    /// Has the foreign openers open a push, in order; returns `nil` if it's in no format of theirs.
    func foreignMessage(
        _ push: ForeignPush, of notification: DeliveredNotification
    ) async throws(PushCryptError) -> OpenedMessage? {
        let now = configuration.time.now
        for opener in configuration.foreignOpeners where opener.end.map({ now <= $0 }) ?? true {
            let original: ForeignOriginal?
            do {
                original = try await opener.open(push)
            } catch {
                // An opener's own error may contain anything, so only its type is repeated.
                throw PushCryptError(
                    .foreignOpenerFailed,
                    """
                    The opener \(opener.name) threw \(type(of: error)). Check its keys and the \
                    push.
                    """)
            }
            guard let original else { continue }
            let message = try ForeignMessage(
                original, by: opener.name, configuration.freshness, deliveredAt: notification.date,
                now: now)
            return try OpenedMessage(message, of: notification)
        }
        return nil
    }

    // MARK: The store

    /// Asks the store for a message, which it records.
    ///
    /// - Throws: ``PushCryptError`` with `replayed` or `possiblyReplayed`, or
    ///   `replayGuardUnavailable` if the app requires its guard.
    func lookUp(_ message: inout OpenedMessage, deliveredAt date: Date?) throws(PushCryptError)
        -> LookUp
    {
        guard let store else { return LookUp() }
        let found = try store.lookUp(message.arrival(deliveredAt: date, in: configuration.accounts))
        message.placed.push.isRepeated = found.answer == .repeated
        message.placed.push.isGuarded = found.answer != nil
        message.placed.push.replayGuardFailure = found.guardFailure
        if let failure = found.guardFailure, configuration.requiresReplayGuard { throw failure }
        return found
    }

    /// Opens a notification without displaying it, as the tool's preview and the app do.
    ///
    /// It records the message as displayed ones are, and returns when the key store does. It asks
    /// no foreign opener.
    package func open(_ notification: DeliveredNotification) -> Presented {
        do throws(PushCryptError) {
            let push = try verified(notification, as: MessageKind.alert)
            var message = try OpenedMessage(push, of: notification)
            let found = try lookUp(&message, deliveredAt: notification.date)
            return try originals.presented(message, found, replacing: notification)
        } catch {
            return originals.presented(notification, failing: error) { store?.display ?? .full }
        }
    }
}
