public import PushCryptReceiver
public import UserNotifications

extension PayloadReader {
    /// Reads the notification that the user has tapped, dismissed or answered.
    ///
    /// - Parameters:
    ///   - response: what the user did.
    ///   - opener: opens what is sealed; without its replay guard, because a notification is read more than once.
    ///   - unsealed: what to do with a payload that is not sealed.
    /// - Throws: ``PushCryptError`` as for the dictionary.
    public init(
        _ response: UNNotificationResponse, opener: Opener, unsealed: UnsealedPayloads
    ) throws(PushCryptError) {
        try self.init(response.notification, opener: opener, unsealed: unsealed)
    }
}
