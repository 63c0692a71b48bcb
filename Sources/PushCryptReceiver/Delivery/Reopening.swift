internal import PushCryptCore
internal import PushCryptPayload

/// Opens a displayed notification again, after the extension couldn't open it.
struct Reopening: Sendable {
    let opener: NotificationOpener

    /// The system's list, from which withdrawn notifications are removed; `nil` removes none.
    let list: (any DeliveredList)?

    /// All displayed notifications.
    let displayed: [DeliveredNotification]

    /// The messages that were opened again.
    private var reopened: Set<MessageID> = []

    init(opener: NotificationOpener, list: (any DeliveredList)?, displayed: [DeliveredNotification]) {
        self.opener = opener
        self.list = list
        self.displayed = displayed
    }

    /// Returns the content to display instead; `nil` leaves the notification as it is.
    mutating func reopen(_ notification: DeliveredNotification) -> NotificationResult? {
        guard isCandidate(notification) else { return nil }
        let result = opener.open(notification)
        // A failing replay guard leaves the notification to a later attempt.
        guard let push = result.presentation.push, push.replayGuardFailure == nil else { return nil }
        if case .reduced = result.presentation, result.content.hasTexts(of: notification.content) {
            // A reduced notification stays sealed, and displays its words already.
            return nil
        }
        // With the list of displayed notifications, this one takes the place of another one that isn't opened again.
        let isDouble = reopened.contains(push.messageID) || opener.shared == nil && isDisplayed(push)
        if push.isRepeated, isDouble {
            list?.remove([notification.identifier])
            return nil
        }
        reopened.insert(push.messageID)
        let admitted = admit(result, notification)
        guard admitted.presentation.isDropped, let list else {
            return admitted.presentation.failure == nil ? admitted : nil
        }
        list.remove([notification.identifier])
        if case .withdrawal(let push, let withdrawal) = result.presentation { withdraw(withdrawal, push, from: list) }
        return nil
    }

    /// Returns a Boolean value that indicates whether displayed content can be a fallback or a sender's placeholder.
    ///
    /// Without a key for receipts, only the words tell: an opened notification isn't sealed any more, unless the app
    /// keeps it sealed.
    private func isCandidate(_ notification: DeliveredNotification) -> Bool {
        let content = notification.content
        switch opener.opener.receiptReader.judgment(of: notification).state {
        case .notByUs: return content.body != opener.fallback.droppedBody
        case .unknown: break
        default: return false
        }
        let hasOnlyBody = content.title.isEmpty && content.subtitle.isEmpty
        if hasOnlyBody, opener.fallback.all.contains(content.body) { return true }
        return !opener.keepsUserInfoSealed && content.body != opener.fallback.droppedBody
    }

    /// Returns a Boolean value that indicates whether another notification displays a message, by its receipt.
    private func isDisplayed(_ push: OpenedPush) -> Bool {
        let reader = opener.opener.receiptReader
        return displayed.contains { reader.judgment(of: $0).receipt?.messageID == push.messageID }
    }

    /// Returns the result, or a dropped one if the server has withdrawn the notification.
    private func admit(_ result: NotificationResult, _ notification: DeliveredNotification) -> NotificationResult {
        let admission = try? opener.admit(result.presentation, displaying: result.content, of: notification)
        switch admission {
        case .withdrawn(let other): return other
        case .shown(let doubles, _):
            if !doubles.isEmpty { list?.remove(doubles) }
            return result
        case .unchanged, nil: return result
        }
    }

    /// Records a withdrawal that the server has signed, and begins to remove the notifications that it names.
    private func withdraw(_ withdrawal: Withdrawal, _ push: OpenedPush, from list: any DeliveredList) {
        guard push.signer != nil, let shared = opener.shared else { return }
        try? shared.withdraw(withdrawal, push)
        try? shared.beginRemoving(from: list)
    }
}

extension NotificationOpener {
    /// Opens a notification again that the system displays with the fallback, and removes it if it's withdrawn.
    ///
    /// - Parameters:
    ///   - notification: The notification, with the date of its delivery.
    ///   - displayed: All displayed notifications. One of them may display the same message.
    ///   - list: The system's list; `nil` removes nothing.
    /// - Returns: The content to display instead. It's `nil` if the notification isn't sealed, displays the original
    ///   or its reduced content already, was dropped, or can't be opened now either.
    package func reopen(
        _ notification: DeliveredNotification, among displayed: [DeliveredNotification] = [],
        _ list: (any DeliveredList)? = nil
    ) -> NotificationResult? {
        var reopening = Reopening(opener: self, list: list, displayed: displayed)
        return reopening.reopen(notification)
    }

    /// Opens all displayed notifications again that display the fallback, and removes those that are withdrawn or whose
    /// message another one displays.
    ///
    /// - Returns: The content to display instead of each notification; `nil` leaves it as it is.
    package func reopen(
        all displayed: [DeliveredNotification], _ list: any DeliveredList
    ) -> [NotificationResult?] {
        try? shared?.beginRemoving(from: list)
        try? shared?.beginRemovingDoubles(from: list)
        var reopening = Reopening(opener: self, list: list, displayed: displayed)
        let results = displayed.map { reopening.reopen($0) }
        // A later one of them may be the withdrawal of an earlier one, whose notification is removed already.
        return zip(displayed, results).map { notification, result in
            let isWithdrawn = result != nil && (try? shared?.isWithdrawn(notification.identifier)) == true
            return isWithdrawn ? nil : result
        }
    }

    /// Returns the platform's content for a notification that was opened again, without an alert and with a receipt.
    package func silentContent<Platform: NotificationPlatform>(
        _ result: NotificationResult, for notification: DeliveredNotification, on platform: Platform
    ) -> Platform.Content {
        let silent = NotificationResult(content: result.content.silent, presentation: result.presentation)
        return proved(PresentedNotification(silent, on: platform), of: notification, on: platform).content
    }
}
