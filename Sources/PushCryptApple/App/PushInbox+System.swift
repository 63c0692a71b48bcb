public import Foundation
public import PushCryptReceiver
public import UserNotifications

#if canImport(PushKit)
public import PushKit
#endif

// What the app does with the system's notifications.
extension PushInbox {
    /// Reads a displayed notification: in the foreground, or in a content extension.
    ///
    /// Its ``PayloadReader/state`` tells whether the user has seen the message's own text. In the
    /// foreground, act on it only if it's ``PayloadReader/isNew``. It's recorded in the delivery
    /// log if the extension hasn't seen it.
    ///
    /// - Throws: ``PushCryptError`` with `notSealed` if an unsealed payload is rejected, or the
    ///   code of the first failed check.
    public func read(_ notification: UNNotification) throws(PushCryptError) -> PayloadReader {
        record([notification])
        return try read(DeliveredNotification(notification, from: configuration.carrier))
    }

    /// Reads the user's response to a notification: a tap, an action or a reply.
    ///
    /// - Parameter response: The response that the delegate of the notification center gets.
    /// - Returns: The response, even if the message can't be read.
    public func read(_ response: UNNotificationResponse) -> UserResponse {
        record([response.notification])
        return self.response(
            response.actionIdentifier,
            text: (response as? UNTextInputNotificationResponse)?.userText,
            to: DeliveredNotification(response.notification, from: configuration.carrier))
    }

    #if canImport(PushKit)
    /// Reads a VoIP push, at once, because the system wants the call to be reported before the
    /// method returns.
    ///
    /// No replay guard is asked. If a repeated call must not ring, open the push with
    /// ``PushConfiguration/opener`` and a replay guard instead.
    ///
    /// - Throws: ``PushCryptError`` with `notSealed`, or the code of the first failed check.
    public func read(_ payload: PKPushPayload) throws(PushCryptError) -> PayloadReader {
        try PayloadReader(
            userInfo: payload.dictionaryPayload, as: [.voip], opener: configuration.opener,
            unsealed: .reject)
    }
    #endif

    /// Opens what the extension couldn't open, as the inbox does when the app becomes active and
    /// when the device is unlocked.
    ///
    /// On a watch, call it when the app becomes active.
    ///
    /// Such notifications came before the first unlock of the device, or opening them took too
    /// long. Each one is replaced, without a sound and without a badge, because the user was
    /// alerted before. Notifications that were withdrawn are removed. A preparation or a
    /// registration that has failed is repeated.
    public func catchUp() async {
        prepareAgain()
        try? await inBackground { [self] in
            await reopenDelivered()
            await registerAgain()
        }
    }

    private func reopenDelivered() async {
        let delivered = await withCheckedContinuation { done in
            UNUserNotificationCenter.current().getDeliveredNotifications {
                @Sendable notifications in
                done.resume(returning: UncheckedSendable(value: notifications))
            }
        }.value
        record(delivered)
        for request in await reopened(delivered) { replace(with: request) }
    }

    /// Displays a request instead of the notification with its identifier.
    private func replace(with request: UNNotificationRequest) {
        UNUserNotificationCenter.current().add(request) { @Sendable [self] error in
            let reason =
                """
                The system doesn't display an opened notification again. Try again at the next \
                launch.
                """
            if error != nil { report(PushCryptError(.other, reason)) }
        }
    }

    /// Returns the requests that replace displayed notifications.
    package nonisolated(nonsending) func reopened(_ notifications: [UNNotification]) async
        -> [UNNotificationRequest]
    {
        let items = notifications.map { notification in
            (
                notification: DeliveredNotification(notification, from: configuration.carrier),
                host: AppleHost(notification.request.content, configuration) as any NotificationHost
            )
        }
        let results = await reopen(items, SystemNotifications())
        return zip(notifications, results).compactMap { notification, result in
            guard let content = result?.object as? AppleContent else { return nil }
            return UNNotificationRequest(
                identifier: notification.request.identifier, content: content.value, trigger: nil)
        }
    }

    /// Records notifications in the delivery log, if the extension hasn't seen them.
    ///
    /// Local notifications are ignored, including those from ``catchUp()``: no extension sees them.
    private func record(_ notifications: [UNNotification]) {
        for notification in notifications
        where notification.request.trigger is UNPushNotificationTrigger {
            do throws(PushCryptError) {
                try recordDelivered(
                    DeliveredNotification(notification, from: configuration.carrier),
                    at: notification.date)
            } catch {
                report(error)
            }
        }
    }

    /// Removes notifications from this device, after the user has read the messages in the app.
    ///
    /// ```swift
    /// try await inbox.withdraw(Withdrawal(threadIDs: ["family"]), issuedUntil: lastRead)
    /// ```
    ///
    /// It returns when the system has removed them. Notifications that arrive later don't appear
    /// either, if their messages were issued no later than `date`.
    ///
    /// - Parameters:
    ///   - withdrawal: The notifications.
    ///   - account: The name of the account, as ``OpenedPush/account`` has it.
    ///   - date: The ``OpenedPush/issuedAt`` of the last message that the user has read. The
    ///     device's clock may differ.
    /// - Throws: ``PushCryptError`` as ``setDisplay(_:)`` does.
    public func withdraw(
        _ withdrawal: Withdrawal, account: String = "", issuedUntil date: Date
    ) async throws(PushCryptError) {
        try await withdraw(
            withdrawal, account: account, issuedUntil: date, on: SystemNotifications())
    }
}
