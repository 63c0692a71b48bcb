public import PushCryptReceiver
public import UserNotifications

#if canImport(PushKit)
public import PushKit
#endif

extension PayloadReader {
    /// Reads a displayed notification: in the foreground, of the user's response, or in a content extension.
    ///
    /// Its ``state`` tells whether the user has seen the message's own text.
    ///
    /// - Throws: ``PushCryptError`` as for a dictionary.
    public init(
        _ notification: UNNotification, opener: Opener, unsealed: UnsealedPayloads
    ) throws(PushCryptError) {
        try self.init(DeliveredNotification(notification, from: opener.carrier), opener: opener, unsealed: unsealed)
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
