internal import Foundation
public import PushCryptReceiver
public import UserNotifications

// The calls that the delegate of the notification center passes on.
extension PushInbox {
    /// Hands over the message of a notification that arrives in the foreground, and returns the way
    /// to present it.
    ///
    /// ```swift
    /// func willPresent(_ notification: UNNotification) -> UNNotificationPresentationOptions {
    ///     inbox.present(notification) { reader in
    ///         print(reader.json.count, "bytes")
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - received: Gets the message, at most once. It isn't called if the message can't be read,
    ///     which is logged, or if the user sees another text than the message's own.
    /// - Returns: All options; or only the list for a passive notification, such as one that
    ///   ``catchUp()`` displays again, because the user was alerted before.
    public func present(
        _ notification: UNNotification,
        received: @escaping @MainActor @Sendable (PayloadReader) async -> Void
    ) -> UNNotificationPresentationOptions {
        do throws(PushCryptError) {
            let reader = try read(notification)
            if reader.isNew { Task { await received(reader) } }
        } catch {
            report(error)
        }
        let isPassive = notification.request.content.interruptionLevel == .passive
        return isPassive ? [.list] : [.banner, .list, .sound, .badge]
    }

    /// Hands over the user's response to a notification, and calls the system's handler after the
    /// app's work.
    ///
    /// ```swift
    /// func didReceive(
    ///     _ response: UNNotificationResponse, completionHandler: @escaping () -> Void
    /// ) {
    ///     inbox.respond(to: response, completionHandler: completionHandler) { response in
    ///         if response.isAccepted() { print("Send", response.text ?? "") }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - response: The response that the delegate of the notification center gets.
    ///   - completionHandler: The system's handler.
    ///   - work: The app's work, as in ``inBackground(_:)``. The reason why a message can't be read
    ///     is logged.
    public func respond(
        to response: UNNotificationResponse, completionHandler: @escaping () -> Void,
        _ work: @escaping @MainActor @Sendable (UserResponse) async -> Void
    ) {
        let response = read(response)
        if let failure = response.failure { report(failure) }
        let completion = UncheckedSendable(value: completionHandler)
        Task { @MainActor in
            try? await inBackground { await work(response) }
            completion.value()
        }
    }
}

extension UserResponse {
    /// A Boolean value that indicates whether the user has tapped the notification, which needs no
    /// check of the text.
    public var isTap: Bool { action == UNNotificationDefaultActionIdentifier }

    /// A Boolean value that indicates whether the user has dismissed the notification.
    public var isDismissal: Bool { action == UNNotificationDismissActionIdentifier }
}
