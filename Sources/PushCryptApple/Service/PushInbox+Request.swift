internal import Foundation
public import PushCryptReceiver
public import UserNotifications

extension PushInbox {
    /// Handles a request of a notification service extension with a base class of its own.
    ///
    /// Call it from `didReceive(_:withContentHandler:)`, and ``expire()`` from
    /// `serviceExtensionTimeWillExpire()`. Otherwise use ``SealedNotificationService``.
    ///
    /// ```swift
    /// inbox.handle(request, customizedContent: { notification in
    ///     notification.content.subtitle = "Anna"
    ///     return notification.content
    /// }) { content in
    ///     print(content.body)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - shouldShow: The app's decision about an opened message.
    ///   - customizedContent: The app's customization of opened content. It may be slow or throw:
    ///     the opened content is displayed instead.
    ///   - log: Gets each event; the system's log by default.
    ///   - contentHandler: The system's handler. Empty content displays nothing. It's called
    ///     exactly once, on a thread of the inbox or of ``expire()``.
    public func handle(
        _ request: UNNotificationRequest, shouldShow: ((OpenedPush) async throws -> Bool)? = nil,
        customizedContent: ((OpenedNotification) async throws -> UNNotificationContent)? = nil,
        log: ((PushEvent) -> Void)? = nil, contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let app = AppleHost.App(
            shouldShow: shouldShow, customizedContent: customizedContent,
            log: log ?? configuration.log)
        handle(request, app, contentHandler: UncheckedSendable(value: contentHandler))
    }

    /// Begins a request; `elapsed` are the seconds since the system's call.
    func handle(
        _ request: UNNotificationRequest, _ app: AppleHost.App, after elapsed: TimeInterval = 0,
        contentHandler: UncheckedSendable<(UNNotificationContent) -> Void>
    ) {
        let host = AppleHost(request.content, configuration, app: app)
        begin(
            DeliveredNotification(request, from: configuration.carrier), with: host, after: elapsed
        ) { presented in
            // The decision has made the system's object.
            let content = presented.object as? AppleContent
            contentHandler.value(content?.value ?? UNNotificationContent())
        }
    }
}
