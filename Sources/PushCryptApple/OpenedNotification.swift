public import PushCryptReceiver
public import UserNotifications

/// What the extension has opened, for the app's own step.
public struct OpenedNotification {
    /// What is going to be shown: a copy, which the step may change and return.
    public let content: UNMutableNotificationContent

    /// The original payload, and who has sent it when.
    public let push: OpenedPush

    private let keeper: (UNNotificationContent) -> Void

    init(
        content: UNMutableNotificationContent, push: OpenedPush, keep: @escaping (UNNotificationContent) -> Void
    ) {
        self.content = content
        self.push = push
        keeper = keep
    }

    /// Keeps something better than the opened text, should time run out before the step returns: a contact's name, while a
    /// picture is still on its way.
    ///
    /// - Parameter content: what to show then; a copy is kept. Without any text it is not taken.
    public func keep(_ content: UNNotificationContent) {
        keeper(content)
    }
}

extension OpenedNotification: CustomStringConvertible, CustomReflectable {
    /// What is said of the push, nothing of the content.
    public var description: String { "OpenedNotification of \(push)" }

    /// No members, so that `dump` and debug descriptions do not show the content either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
