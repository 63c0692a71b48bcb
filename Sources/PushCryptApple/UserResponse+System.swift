public import PushCryptReceiver
public import UserNotifications

extension UserResponse {
    /// Reads a response of the system.
    ///
    /// ```swift
    /// func read(_ response: UNNotificationResponse, opener: Opener) -> UserResponse {
    ///     UserResponse(response, opener: opener, unsealed: .reject)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - response: The response that the delegate of the notification center gets.
    ///   - opener: The opener of messages, with the device's secrets. Its replay guard isn't asked.
    ///   - unsealed: The treatment of payloads that aren't sealed.
    public init(_ response: UNNotificationResponse, opener: Opener, unsealed: UnsealedPayloads) {
        self.init(
            action: response.actionIdentifier, text: (response as? UNTextInputNotificationResponse)?.userText,
            to: DeliveredNotification(response.notification, from: opener.carrier), opener: opener,
            unsealed: unsealed)
    }

    /// A Boolean value that indicates whether the user has tapped the notification, which needs no check of the text.
    public var isTap: Bool { action == UNNotificationDefaultActionIdentifier }
}
