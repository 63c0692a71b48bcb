public import PushCryptReceiver
public import UserNotifications

extension PayloadReader {
    /// Reads a delivered notification: in the foreground, or in a content extension.
    ///
    /// - Parameters:
    ///   - notification: the notification.
    ///   - opener: opens what is sealed; without its replay guard, because a notification is read more than once.
    ///   - unsealed: what to do with a payload that is not sealed.
    /// - Throws: ``PushCryptError`` as for the dictionary.
    public init(
        _ notification: UNNotification, opener: Opener, unsealed: UnsealedPayloads
    ) throws(PushCryptError) {
        try self.init(userInfo: notification.request.content.userInfo, opener: opener, unsealed: unsealed)
    }
}
