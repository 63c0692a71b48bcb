internal import Foundation
public import PushCryptCore
internal import PushCryptPayload
internal import PushCryptSystem

/// A push that the app gets itself, such as a background push.
public enum AppPush: Sendable {
    /// An opened message, which comes once.
    case message(PayloadReader)

    /// A push that asks the app to register, or a challenge: call `register` now, or when the app
    /// has its token.
    case asksToRegister

    /// A notification, which the extension opens.
    case notification
}

extension PushInbox {
    /// Opens a push that the app gets itself, once.
    ///
    /// ```swift
    /// switch try await inbox.open(userInfo) {
    /// case .message(let reader): print(reader.json.count)
    /// case .asksToRegister: try await inbox.register(DeviceToken(token), with: send)
    /// case .notification: break
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - userInfo: The dictionary of the push.
    ///   - kinds: The kinds of messages that fit the push.
    /// - Returns: The push.
    /// - Throws: ``PushCryptError`` with `replayed` if it was opened before,
    ///   `replayGuardUnavailable` if that can't be known, `notSealed`, or the code of the first
    ///   failed check.
    public nonisolated(nonsending) func open(
        _ userInfo: [AnyHashable: Any], as kinds: [MessageKind] = [.background]
    ) async throws(PushCryptError) -> AppPush {
        let asking = try AskingPush(userInfo: userInfo, from: configuration.carrier)
        if asking == .request { return asked(by: asking) }
        let notification = DeliveredNotification(
            content: NotificationContent(), userInfo: userInfo, carrier: configuration.carrier)
        do throws(PushCryptError) {
            let push = try await opened(notification, as: kinds + [.challenge])
            return push.kind == .challenge ? asked(by: asking) : .message(PayloadReader(push))
        } catch {
            if error.code == .wrongKind { return .notification }
            // A challenge that can't be opened now is tried again at the next registration, which
            // records the problem.
            if let asking, error.code != .notSealed { app.withLock { $0.asking.add(asking) } }
            throw error
        }
    }

    /// Remembers a push that asks the app to register.
    private func asked(by push: AskingPush?) -> AppPush {
        if let push { app.withLock { $0.asking.add(push) } }
        return .asksToRegister
    }

    /// Opens a push, sealed or foreign, and has the app's own guard record it.
    private func opened(
        _ notification: DeliveredNotification, as kinds: [MessageKind]
    ) async throws(PushCryptError) -> OpenedPush {
        let push: OpenedPush
        do throws(PushCryptError) {
            push = try verified(notification, as: kinds)
        } catch {
            guard error.code == .notSealed, let foreign = foreignPush(of: notification),
                let message = try await foreignMessage(foreign, of: notification)
            else { throw error }
            guard message.hasID else { return message.placed.push }
            push = message.placed.push
        }
        return try guarded(push)
    }

    /// Has a guard of its own record a push, because the extension doesn't see it.
    ///
    /// Without a guard, the push may be a repetition, so it isn't opened.
    private func guarded(_ push: OpenedPush) throws(PushCryptError) -> OpenedPush {
        guard let replayGuard = store?.backgroundGuard else {
            throw PushCryptError(
                .invalidConfiguration,
                "The replay guard has no directory. Set the configuration's directory.")
        }
        do {
            let message = GuardedMessage(push, of: configuration.accounts, deliveredAt: nil)
            let answer = try replayGuard.admit(message, now: configuration.time.now)
            guard answer == .new else { throw PushCryptError.replayed(push.messageID) }
        } catch {
            throw try .replayGuardFailure(error)
        }
        var guarded = push
        guarded.isGuarded = true
        return guarded
    }
}
