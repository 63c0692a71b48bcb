internal import Foundation
public import PushCryptReceiver
public import UserNotifications

/// An opened notification for the app's customization.
public struct OpenedNotification {
    /// A copy of the content to display, which the customization may change and return.
    public let content: UNMutableNotificationContent

    /// The opened message.
    public let push: OpenedPush

    let updateContent: (UNNotificationContent) -> Void

    /// Updates the content that is displayed if time runs out before the customization ends.
    ///
    /// Call it with a contact's name, for example, before you load a picture. Content without text is ignored.
    public func update(_ content: UNNotificationContent) {
        updateContent(content)
    }
}

extension OpenedNotification: CustomStringConvertible, Redacted {
    /// The description of the message, without its content.
    public var description: String { "OpenedNotification of \(push)" }
}

extension NotificationHandler {
    /// Handles a request of a notification service extension with a base class of its own.
    ///
    /// Call it from `didReceive(_:withContentHandler:)`, and `expire()` from `serviceExtensionTimeWillExpire()`. Otherwise
    /// use ``SealedNotificationService``.
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
    ///   - customizedContent: The app's customization of opened content; `nil` uses the handler's. It may be slow or throw:
    ///     the opened text is displayed then.
    ///   - downloader: The downloader of attachments; `nil` displays none.
    ///   - contentHandler: The system's handler. Empty content displays nothing. It's called exactly once, on a thread of the handler or of `expire()`.
    public func handle(
        _ request: UNNotificationRequest,
        customizedContent: ((OpenedNotification) async throws -> UNNotificationContent)? = nil,
        downloader: (any AttachmentDownloader)? = nil, contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        handle(
            request, customizedContent: customizedContent, downloader: downloader, Hooks(),
            contentHandler: contentHandler)
    }

    func handle(
        _ request: UNNotificationRequest,
        customizedContent: ((OpenedNotification) async throws -> UNNotificationContent)?,
        downloader: (any AttachmentDownloader)?, _ hooks: Hooks,
        contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let delivered = request.content
        let sendable = UncheckedSendable(value: (delivered: delivered, contentHandler: contentHandler))
        var hooks = hooks
        hooks.list = SystemNotifications()
        if downloader != nil || customizedContent != nil {
            hooks.step = step(customizedContent, delivered, downloader, hooks.log)
        }
        handle(
            DeliveredNotification(
                content: NotificationContent(delivered), userInfo: delivered.userInfo, identifier: request.identifier),
            hooks
        ) { result in
            sendable.value.contentHandler(result.systemContent(replacing: sendable.value.delivered))
        }
    }

    /// Returns the step that adds the attachment, and then lets the app customize the content.
    private func step(
        _ customizedContent: ((OpenedNotification) async throws -> UNNotificationContent)?,
        _ delivered: UNNotificationContent, _ downloader: (any AttachmentDownloader)?, _ log: Log?
    ) -> Step {
        let sendable = UncheckedSendable(value: (delivered: delivered, customizedContent: customizedContent))
        let end = ProcessInfo.processInfo.systemUptime + deadline
        return { [self] result, update in
            guard let push = result.outcome.push else { return result }
            let content = result.content.systemContent(replacing: sendable.value.delivered)
            if let downloader {
                // The app's customization needs time, too.
                let timeout = 0.6 * (end - ProcessInfo.processInfo.systemUptime)
                do throws(PushCryptError) {
                    content.attachments = try await downloader.attachments(of: push, timeout: timeout)
                    update(NotificationResult(content, result.outcome))
                } catch {
                    if !Task.isCancelled { (log ?? self.log)?(Event(error)) }
                }
            }
            try Task.checkCancellation()
            guard let customizedContent = sendable.value.customizedContent else {
                guard let customization else { return NotificationResult(content, result.outcome) }
                let custom = try await customization(result.content, push)
                let customized = custom.systemContent(replacing: sendable.value.delivered)
                customized.attachments = content.attachments
                return NotificationResult(customized, result.outcome)
            }
            let notification = OpenedNotification(
                content: content, push: push, updateContent: { update(NotificationResult($0, result.outcome)) })
            return NotificationResult(try await customizedContent(notification), result.outcome)
        }
    }
}

extension NotificationResult {
    /// Creates a result with a copy of the app's content, because the customization may go on changing its object.
    fileprivate init(_ content: UNNotificationContent, _ outcome: NotificationOutcome) {
        let copy = content.copy() as? UNNotificationContent ?? content
        self.init(content: NotificationContent(copy), outcome: outcome, native: UncheckedSendable(value: copy))
    }

    /// Returns the content for the system: the app's own object as it is, except for a badge that is counted on the device.
    fileprivate func systemContent(replacing delivered: UNNotificationContent) -> UNNotificationContent {
        // Anything in it, such as the delivered `userInfo`, would be displayed.
        if outcome.isDropped, !content.hasText { return UNNotificationContent() }
        let native = (native as? UncheckedSendable<UNNotificationContent>)?.value
        guard let badge else { return native ?? content.systemContent(replacing: delivered) }
        let changed =
            native?.mutableCopy() as? UNMutableNotificationContent ?? content.systemContent(replacing: delivered)
        changed.badge = NSNumber(value: badge)
        return changed
    }
}

/// The only place where values cross threads that aren't `Sendable`.
///
/// Apple's headers don't declare it, but any thread may call a content handler and read delivered content, and the system
/// itself calls a service extension from several threads. Any other value here is a copy that nothing changes.
struct UncheckedSendable<Value>: @unchecked Sendable {
    let value: Value
}
