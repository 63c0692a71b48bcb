public import PushCryptReceiver
public import UserNotifications

#if canImport(PushKit)
public import PushKit
#endif

extension PayloadReader {
    /// Reads a delivered notification: in the foreground, of the user's response, or in a content extension.
    ///
    /// - Throws: ``PushCryptError`` as for a dictionary.
    public init(
        _ notification: UNNotification, opener: Opener, unsealed: UnsealedPayloads
    ) throws(PushCryptError) {
        try self.init(
            userInfo: notification.request.content.userInfo, deliveredAt: notification.date, opener: opener,
            unsealed: unsealed)
    }

    #if canImport(PushKit)
    /// Reads a VoIP push; reject unsealed payloads, because no extension opens it.
    ///
    /// If a repeated call must not ring, open the push with `Opener.open(userInfo:as:)` and a replay guard instead.
    ///
    /// - Throws: ``PushCryptError`` as for a dictionary.
    public init(
        _ payload: PKPushPayload, opener: Opener, unsealed: UnsealedPayloads
    ) throws(PushCryptError) {
        try self.init(userInfo: payload.dictionaryPayload, as: [.voip], opener: opener, unsealed: unsealed)
    }
    #endif
}
