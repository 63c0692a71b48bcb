public import PushCryptReceiver
public import UserNotifications

extension NotificationHandler {
    /// Handles a request of a notification service extension with a base class of its own.
    ///
    /// Call it from `didReceive(_:withContentHandler:)`, and `expire()` from `serviceExtensionTimeWillExpire()`.
    /// Otherwise use ``SealedNotificationService``.
    ///
    /// ```swift
    /// handler.handle(request, customizedContent: { notification in
    ///     notification.content.subtitle = "Anna"
    ///     return notification.content
    /// }) { content in
    ///     print(content.body)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - customizedContent: The app's customization of opened content; `nil` uses the handler's. It may be slow or
    ///     throw: the opened content is displayed instead.
    ///   - downloader: The downloader of attachments; `nil` displays none.
    ///   - contentHandler: The system's handler. Empty content displays nothing. It's called exactly once, on a thread
    ///     of the handler or of `expire()`.
    public func handle(
        _ request: UNNotificationRequest,
        customizedContent: ((OpenedNotification) async throws -> UNNotificationContent)? = nil,
        downloader: (any AttachmentDownloader)? = nil, contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let platform = SystemPlatform(
            delivered: request.content, from: carrier, customizedContent: customizedContent,
            customization: customization, downloader: downloader)
        begin(request, on: platform, for: app, contentHandler: contentHandler)
    }

    /// Begins the pipeline of a request.
    func begin(
        _ request: UNNotificationRequest, on platform: SystemPlatform, for app: AppCallbacks,
        contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let notification = DeliveredNotification(
            content: NotificationContent(request.content), userInfo: request.content.userInfo,
            identifier: request.identifier, carrier: carrier)
        let contentHandler = UncheckedSendable(value: contentHandler)
        begin(notification, on: platform, for: app) { presented in
            contentHandler.value(presented.content.value)
        }
    }
}
