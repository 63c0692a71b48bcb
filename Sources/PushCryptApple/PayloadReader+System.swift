public import PushCryptReceiver
public import UserNotifications

#if canImport(PushKit)
public import PushKit
#endif

extension PayloadReader {
    /// Reads a delivered notification, in the foreground or in a content extension.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - opener: The opener of messages. Its replay guard isn't asked.
    ///   - unsealed: The treatment of payloads that aren't sealed.
    /// - Throws: ``PushCryptError`` as for a dictionary.
    public init(
        _ notification: UNNotification, opener: Opener, unsealed: UnsealedPayloads
    ) throws(PushCryptError) {
        try self.init(userInfo: notification.request.content.userInfo, opener: opener, unsealed: unsealed)
    }

    /// Reads a notification that the user has tapped, dismissed or answered.
    ///
    /// - Parameters:
    ///   - response: The user's response.
    ///   - opener: The opener of messages. Its replay guard isn't asked.
    ///   - unsealed: The treatment of payloads that aren't sealed.
    /// - Throws: ``PushCryptError`` as for a dictionary.
    public init(
        _ response: UNNotificationResponse, opener: Opener, unsealed: UnsealedPayloads
    ) throws(PushCryptError) {
        try self.init(response.notification, opener: opener, unsealed: unsealed)
    }

    #if canImport(PushKit)
    /// Reads a VoIP push.
    ///
    /// No extension opens it, so reject unsealed payloads.
    ///
    /// If a repeated call must not ring, open the push with `Opener.open(userInfo:)` and a replay guard instead.
    ///
    /// - Parameters:
    ///   - payload: The push.
    ///   - opener: The opener of messages. Its replay guard isn't asked.
    ///   - unsealed: The treatment of payloads that aren't sealed.
    /// - Throws: ``PushCryptError`` as for a dictionary.
    public init(
        _ payload: PKPushPayload, opener: Opener, unsealed: UnsealedPayloads
    ) throws(PushCryptError) {
        try self.init(userInfo: payload.dictionaryPayload, opener: opener, unsealed: unsealed)
    }
    #endif
}
