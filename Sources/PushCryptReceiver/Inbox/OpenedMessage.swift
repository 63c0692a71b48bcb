internal import Foundation
internal import PushCryptCore
internal import PushCryptPayload

/// An opened message of a notification, before the store is asked.
struct OpenedMessage: Sendable {
    /// The message and the place of its notification.
    var placed: PlacedMessage

    /// The members of the original payload.
    let payload: [String: JSONValue]

    /// The notifications that the message removes; `nil` if it isn't a withdrawal.
    let withdrawal: Withdrawal?

    /// A Boolean value that indicates whether the replay guard can recognize the message.
    let hasID: Bool

    /// A Boolean value that indicates whether a foreign opener has opened the message.
    var isForeign: Bool { placed.push.keyID == nil }

    /// Reads the payload of a sealed message.
    ///
    /// - Throws: ``PushCryptError`` with `typeMismatch` for a withdrawal of another form.
    init(_ push: OpenedPush, of notification: DeliveredNotification) throws(PushCryptError) {
        payload = try JSONValue(forDisplay: push.payload).objectValue ?? [:]
        withdrawal = push.kind == .withdrawal ? try Withdrawal(payload) : nil
        hasID = true
        placed = Self.placed(push, payload: payload, by: notification)
    }

    init(_ message: ForeignMessage, of notification: DeliveredNotification) throws(PushCryptError) {
        payload = try JSONValue(forDisplay: message.push.payload).objectValue ?? [:]
        withdrawal = message.withdrawal
        hasID = message.hasID
        placed = Self.placed(message.push, payload: payload, by: notification)
    }

    private static func placed(
        _ push: OpenedPush, payload: [String: JSONValue], by notification: DeliveredNotification
    ) -> PlacedMessage {
        PlacedMessage(
            push: push, identifier: notification.identifier,
            thread: payload["aps"]?["thread-id"]?.stringValue ?? "")
    }

    /// Returns the question for the store.
    ///
    /// A withdrawal whose author isn't authenticated doesn't act: an attacker who has the device's
    /// public key could hide messages.
    func arrival(deliveredAt date: Date?, in accounts: [PushAccount]) -> ArrivedMessage {
        ArrivedMessage(
            message: placed, accounts: accounts, delivery: date, isGuarded: hasID,
            withdrawal: placed.push.isAuthenticated ? withdrawal : nil)
    }
}
