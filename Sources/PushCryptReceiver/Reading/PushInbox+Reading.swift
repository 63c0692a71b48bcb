internal import Foundation
public import PushCryptCore
internal import PushCryptPayload
internal import PushCryptSystem

// What the app reads: displayed notifications, and the user's responses to them.
extension PushInbox {
    /// Reads a displayed notification: in the foreground, or in a content extension.
    ///
    /// Its ``PayloadReader/state`` tells whether the user has seen the message's own text. In the
    /// foreground, act on it only if it's ``PayloadReader/isNew``. A payload that the extension has
    /// opened is accepted if its receipt is valid. Any other payload that isn't sealed is treated
    /// as ``PushConfiguration/unsealedPayloads`` says.
    ///
    /// - Throws: ``PushCryptError`` with `notSealed` if an unsealed payload is rejected, or the
    ///   code of the first failed check.
    public func read(_ notification: DeliveredNotification) throws(PushCryptError) -> PayloadReader
    {
        var reader = try reader(of: notification)
        let isTrusted = DisplayedState.trusted.contains(reader.state)
        if isTrusted,
            let id = reader.push?.messageID
                ?? receiptReader.judgment(of: notification).receipt?.messageID
        {
            reader.isNew = app.withLock { $0.readMessages.insert(id).inserted }
        }
        return reader
    }

    /// Reads a response to a notification: a tap, an action or a reply.
    ///
    /// - Parameters:
    ///   - action: The identifier of the action.
    ///   - text: The text of a reply; `nil` for other responses.
    ///   - notification: The notification as it was displayed.
    /// - Returns: The response, even if the message can't be read.
    public func response(
        _ action: String, text: String? = nil, to notification: DeliveredNotification
    ) -> UserResponse {
        UserResponse(
            action: action, text: text,
            Result { () throws(PushCryptError) in try reader(of: notification) })
    }

    private func reader(of notification: DeliveredNotification) throws(PushCryptError)
        -> PayloadReader
    {
        let judgment = receiptReader.judgment(of: notification)
        var reader: PayloadReader
        if case .opened(let payload) = notification.source,
            judgment.receipt != nil || configuration.unsealedPayloads == .allow
        {
            let members = SealedPlace.original(of: payload.objectValue ?? [:])
            reader = PayloadReader(json: try JSONText.encoded(JSONValue.object(members)), nil)
        } else {
            reader = PayloadReader(try verified(notification, as: [.notification]))
        }
        reader.state = judgment.state
        reader.isGuarded = judgment.receipt?.isGuarded ?? false
        reader.account = reader.push?.account ?? judgment.account
        return reader
    }
}
