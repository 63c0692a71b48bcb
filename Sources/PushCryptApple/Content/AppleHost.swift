internal import Foundation
internal import PushCryptCore
internal import PushCryptDownloads
internal import PushCryptReceiver
internal import UserNotifications

/// The system and the app around one request.
struct AppleHost: NotificationHost {
    /// The app's code for a request.
    struct App {
        var shouldShow: ((OpenedPush) async throws -> Bool)?
        var customizedContent: ((OpenedNotification) async throws -> UNNotificationContent)?
        var log: ((PushEvent) -> Void)?
    }

    private let delivered: UncheckedSendable<UNNotificationContent>
    private let carrier: Carrier
    private let downloader: (any AttachmentDownloader)?
    private let app: UncheckedSendable<App>

    /// Creates the host of a request.
    ///
    /// - Parameters:
    ///   - delivered: The request's content. Properties that no message sets stay as they are
    ///     there.
    ///   - configuration: The app's settings.
    ///   - app: The app's code.
    init(_ delivered: UNNotificationContent, _ configuration: PushConfiguration, app: App = App()) {
        self.delivered = UncheckedSendable(value: delivered)
        carrier = configuration.carrier
        downloader = configuration.downloader
        self.app = UncheckedSendable(value: app)
    }

    // MARK: The app

    var hasSteps: Bool {
        downloader != nil || app.value.shouldShow != nil || app.value.customizedContent != nil
    }

    func shouldShow(_ push: OpenedPush) async throws -> Bool {
        try await app.value.shouldShow?(push) ?? true
    }

    func attach(
        to content: any SystemContent, from push: OpenedPush, timeout: TimeInterval
    ) async throws(PushCryptError) -> (any SystemContent)? {
        guard let downloader, let content = content as? AppleContent else { return nil }
        let attachments = try await downloader.attachments(of: push, timeout: timeout)
        guard !attachments.isEmpty else { return nil }
        let attached = content.value.changeableCopy
        attached.attachments = attachments
        return AppleContent(attached)
    }

    func customize(_ draft: NotificationDraft) async throws -> any SystemContent {
        guard let customizedContent = app.value.customizedContent,
            let content = draft.content as? AppleContent
        else {
            return draft.content
        }
        let notification = OpenedNotification(
            content: content.value.changeableCopy, push: draft.push, identifier: draft.identifier,
            updateContent: { draft.update(AppleContent($0.unchangingCopy)) })
        return AppleContent(try await customizedContent(notification).unchangingCopy)
    }

    func log(_ event: PushEvent) { app.value.log?(event) }

    // MARK: The system

    var list: (any DeliveredList)? { SystemNotifications() }

    func displayedNotifications() async -> [DisplayedNotification] {
        await withCheckedContinuation { done in
            UNUserNotificationCenter.current().getDeliveredNotifications {
                @Sendable notifications in
                done.resume(
                    returning: notifications.map { notification in
                        DisplayedNotification(
                            DeliveredNotification(notification, from: carrier),
                            content: AppleContent(notification.request.content))
                    })
            }
        }
    }

    func object(for content: NotificationContent) -> any SystemContent {
        // New content, because the delivered `userInfo` alone would display the notification.
        guard content.hasText else { return AppleContent(UNNotificationContent()) }
        let place = (try? SealedPlace(of: carrier)) ?? .direct
        return AppleContent(content.systemContent(replacing: delivered.value, from: place))
    }
}
