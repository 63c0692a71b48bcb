internal import Foundation
internal import PushCryptCore
internal import PushCryptReceiver
internal import UserNotifications

/// The system's side of one request: its content, the attachments and the app's customization.
struct SystemPlatform: NotificationPlatform {
    typealias Content = UncheckedSendable<UNNotificationContent>
    typealias CustomizedContent = (OpenedNotification) async throws -> UNNotificationContent

    private let delivered: Content
    private let carrier: Carrier
    private let customizedContent: UncheckedSendable<CustomizedContent>?
    private let customization: NotificationHandler.Customization?
    private let downloader: (any AttachmentDownloader)?

    /// Creates the platform of a request.
    ///
    /// - Parameters:
    ///   - delivered: The request's content. Properties that no message sets stay as they are there.
    ///   - carrier: The service that has delivered it.
    ///   - customizedContent: The app's customization of the system's content; `nil` uses `customization`.
    ///   - customization: The app's customization of the neutral content; `nil` changes nothing.
    ///   - downloader: The downloader of attachments; `nil` displays none.
    init(
        delivered: UNNotificationContent, from carrier: Carrier, customizedContent: CustomizedContent?,
        customization: NotificationHandler.Customization?, downloader: (any AttachmentDownloader)?
    ) {
        self.carrier = carrier
        self.delivered = Content(value: delivered)
        self.customizedContent = customizedContent.map { UncheckedSendable(value: $0) }
        self.customization = customization
        self.downloader = downloader
    }

    var hasSteps: Bool { downloader != nil || customizedContent != nil || customization != nil }

    var deliveredList: (any DeliveredList)? { SystemNotifications() }

    func displayedNotifications() async -> [DisplayedNotification<Content>] {
        await withCheckedContinuation { done in
            UNUserNotificationCenter.current().getDeliveredNotifications { @Sendable notifications in
                done.resume(
                    returning: notifications.map { notification in
                        DisplayedNotification(
                            DeliveredNotification(notification, from: carrier),
                            content: Content(value: notification.request.content))
                    })
            }
        }
    }

    /// New content, because the delivered `userInfo` alone would display the notification.
    var emptyContent: Content { Content(value: UNNotificationContent()) }

    func content(for content: NotificationContent) -> Content {
        Content(value: content.systemContent(replacing: delivered.value, from: delivery))
    }

    func read(_ content: Content) -> NotificationContent { NotificationContent(content.value) }

    func source(of content: Content) -> ReceiptSource? {
        try? ReceiptSource(userInfo: content.value.userInfo, from: carrier)
    }

    /// The carrier's form; APNs' own if the carrier isn't known, so that no other member stays.
    private var delivery: CarrierDelivery { (try? CarrierDelivery(of: carrier)) ?? .direct }

    func content(_ content: Content, withBadge badge: Int) -> Content {
        let counted = content.value.changeableCopy
        counted.badge = NSNumber(value: badge)
        return Content(value: counted)
    }

    func content(_ content: Content, withReceipt receipt: String?) -> Content {
        let proved = content.value.changeableCopy
        proved.userInfo[Envelope.receiptKey] = receipt
        return Content(value: proved)
    }

    func silent(_ content: Content) -> Content {
        let silent = content.value.changeableCopy
        silent.sound = nil
        silent.badge = nil
        silent.interruptionLevel = .passive
        // The system has moved the files. Whether it accepts them again is unknown, and it ignores invalid content.
        silent.attachments = []
        return Content(value: silent)
    }

    func attach(
        to content: Content, from push: OpenedPush, timeout: TimeInterval
    ) async throws(PushCryptError) -> Content? {
        guard let downloader else { return nil }
        let attached = content.value.changeableCopy
        attached.attachments = try await downloader.attachments(of: push, timeout: timeout)
        return Content(value: attached)
    }

    func customize(_ draft: NotificationDraft<SystemPlatform>) async throws -> Content {
        if let customizedContent { return try await customize(draft, with: customizedContent.value) }
        guard let customization else { return draft.content }
        let neutral = try await customization(draft.original, draft.push)
        let customized = neutral.systemContent(replacing: delivered.value, from: delivery)
        customized.attachments = draft.content.value.attachments
        return Content(value: customized)
    }

    private func customize(
        _ draft: NotificationDraft<SystemPlatform>, with customizedContent: CustomizedContent
    ) async throws -> Content {
        let notification = OpenedNotification(
            content: draft.content.value.changeableCopy, push: draft.push, identifier: draft.identifier,
            updateContent: { draft.update(Content(value: $0.unchangingCopy)) })
        let customized = try await customizedContent(notification)
        return Content(value: customized.unchangingCopy)
    }
}

extension UNNotificationContent {
    /// A copy for the app's customization, or for this module's own changes.
    fileprivate var changeableCopy: UNMutableNotificationContent {
        mutableCopy() as? UNMutableNotificationContent ?? UNMutableNotificationContent()
    }

    /// A copy that stays as it is, although the app's customization may go on changing its own object.
    fileprivate var unchangingCopy: UNNotificationContent {
        copy() as? UNNotificationContent ?? self
    }
}
