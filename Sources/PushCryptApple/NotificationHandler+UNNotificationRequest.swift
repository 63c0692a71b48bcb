internal import Foundation
public import PushCryptReceiver
public import UserNotifications

extension NotificationHandler {
    /// The app's own step after opening, on the system's classes.
    public typealias DidOpen = (OpenedNotification) async throws -> UNNotificationContent

    /// Handles a request of a notification service extension: call it from `didReceive(_:withContentHandler:)`, and
    /// `expire()` from `serviceExtensionTimeWillExpire()`.
    ///
    /// For extensions that have a base class of their own; for others there is ``SealedNotificationService``.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - customizedContent: a step of the app after opening; where there is none, the handler's own. It may be slow or throw: the
    ///     opened text is safe.
    ///   - contentHandler: the system's handler; it is called exactly once, on a thread of the handler's own, or of the
    ///     caller of `expire()`.
    public func handle(
        _ request: UNNotificationRequest, customizedContent: DidOpen? = nil,
        contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        handle(request, customizedContent: customizedContent, log: nil, contentHandler: contentHandler)
    }

    func handle(
        _ request: UNNotificationRequest, customizedContent: DidOpen?, log: Log?,
        contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let delivered = request.content
        let crossing = UncheckedSendable((delivered: delivered, contentHandler: contentHandler))
        handle(
            DeliveredNotification(content: NotificationContent(delivered), userInfo: delivered.userInfo),
            step: customizedContent.map { Self.step($0, delivered) }, log: log
        ) { presented in
            crossing.value.contentHandler(presented.systemContent(replacing: crossing.value.delivered))
        }
    }

    private static func step(_ customizedContent: @escaping DidOpen, _ delivered: UNNotificationContent) -> Step {
        let crossing = UncheckedSendable((delivered: delivered, customizedContent: customizedContent))
        return { presented, keep in
            guard case .opened(let push) = presented.outcome else { return presented }
            let notification = OpenedNotification(
                content: presented.content.mutableSystemContent(replacing: crossing.value.delivered), push: push,
                keep: { keep(NotificationResult($0, presented.outcome)) })
            return NotificationResult(try await crossing.value.customizedContent(notification), presented.outcome)
        }
    }
}

extension NotificationResult {
    /// What the app's step has made of an opened notification.
    ///
    /// The step may go on changing its own object, so this is a copy.
    fileprivate init(_ content: UNNotificationContent, _ outcome: NotificationOutcome) {
        let copy = content.copy() as? UNNotificationContent ?? content
        self.init(content: NotificationContent(copy), outcome: outcome, native: UncheckedSendable(copy))
    }

    /// What to hand to the system: the app's own object as it is, where there is one.
    fileprivate func systemContent(replacing delivered: UNNotificationContent) -> UNNotificationContent {
        (native as? UncheckedSendable<UNNotificationContent>)?.value ?? content.systemContent(replacing: delivered)
    }
}
