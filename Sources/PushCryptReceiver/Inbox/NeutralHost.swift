package import Foundation
package import PushCryptCore
internal import PushCryptKeyring

/// A host without a system: the content is a ``NotificationContent``.
package struct NeutralHost: NotificationHost {
    /// The app's code for a request.
    package struct App: Sendable {
        var shouldShow: (@Sendable (OpenedPush) async throws -> Bool)?
        var customization: PushInbox.Customization?
        var log: (@Sendable (PushEvent) -> Void)?

        init(
            shouldShow: (@Sendable (OpenedPush) async throws -> Bool)? = nil,
            customization: PushInbox.Customization? = nil,
            log: (@Sendable (PushEvent) -> Void)? = nil
        ) {
            self.shouldShow = shouldShow
            self.customization = customization
            self.log = log
        }
    }

    package let list: (any DeliveredList)?
    private let app: App
    private let sealed: ReceiptSource?
    private let displayed: @Sendable () async -> [DisplayedNotification]

    /// Creates the host of a notification.
    ///
    /// - Parameters:
    ///   - notification: The notification as it was delivered.
    ///   - app: The app's code.
    ///   - list: The list from which notifications are removed.
    ///   - displayed: Returns the displayed notifications.
    package init(
        _ notification: DeliveredNotification, app: App = App(), list: (any DeliveredList)? = nil,
        displayed: @escaping @Sendable () async -> [DisplayedNotification] = { [] }
    ) {
        self.app = app
        self.list = list
        self.displayed = displayed
        sealed = notification.source
    }

    package var hasSteps: Bool { app.shouldShow != nil || app.customization != nil }

    package func shouldShow(_ push: OpenedPush) async throws -> Bool {
        try await app.shouldShow?(push) ?? true
    }

    package func attach(
        to content: any SystemContent, from push: OpenedPush, timeout: TimeInterval
    ) async throws(PushCryptError) -> (any SystemContent)? { nil }

    package func customize(_ draft: NotificationDraft) async throws -> any SystemContent {
        guard let customization = app.customization else { return draft.content }
        return object(for: try await customization(draft.original, draft.push))
    }

    package func log(_ event: PushEvent) { app.log?(event) }

    package func displayedNotifications() async -> [DisplayedNotification] { await displayed() }

    package func object(for content: NotificationContent) -> any SystemContent {
        NeutralContent(content: content, sealed: sealed)
    }
}

/// The content of a ``NeutralHost``.
struct NeutralContent: SystemContent {
    var content: NotificationContent
    private let sealed: ReceiptSource?

    /// Creates content; `sealed` is the source in its `userInfo`, unless the content has a payload
    /// of its own.
    init(content: NotificationContent, sealed: ReceiptSource? = nil) {
        self.content = content
        self.sealed = sealed
    }

    var text: NotificationContent { content }

    func source(from carrier: Carrier) -> ReceiptSource? {
        content.originalPayload.map { .opened(.object($0)) }
            ?? (content.losesSealedValue ? nil : sealed)
    }

    func finished(badge: Int?, receipt: String?) -> any SystemContent {
        var finished = self
        if let badge { finished.content.badge = badge }
        finished.content.receipt = receipt
        return finished
    }

    var silent: any SystemContent { NeutralContent(content: content.silent, sealed: sealed) }
}
