public import PushCryptReceiver
public import UserNotifications

extension NotificationHandler {
    /// Handles a request of a notification service extension: call it from `didReceive(_:withContentHandler:)`.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - contentHandler: the system's handler; it is called exactly once, on a thread of the handler's own, or of the
    ///     caller of `expire()`.
    public func handle(
        _ request: UNNotificationRequest, contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let delivered = request.content
        let crossing = Crossing(delivered: delivered, handler: contentHandler)
        handle(
            DeliveredNotification(content: NotificationContent(delivered), userInfo: delivered.userInfo)
        ) { content in
            crossing.handler(content.systemContent(replacing: crossing.delivered))
        }
    }
}

/// The one place where what is not `Sendable` crosses threads.
///
/// Apple's content handler may be called from any thread, and delivered content is not changed by anybody; the headers do
/// not say so to the compiler. The gate calls once, so there is never more than one thread in here.
private struct Crossing: @unchecked Sendable {
    let delivered: UNNotificationContent
    let handler: (UNNotificationContent) -> Void
}
