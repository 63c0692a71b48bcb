internal import PushCryptCore
internal import PushCryptPayload

/// Opens a displayed notification again, after the extension couldn't open it.
struct Reopening: Sendable {
    let opener: NotificationOpener

    /// The system's list, from which withdrawn notifications are removed; `nil` removes none.
    let list: (any DeliveredList)?

    /// Returns the content to display instead; `nil` leaves the notification as it is.
    func reopen(_ notification: DeliveredNotification) -> NotificationResult? {
        guard isCandidate(notification.content) else { return nil }
        let result = opener.open(notification)
        // A failing replay guard leaves the notification to a later attempt.
        guard let push = result.presentation.push, push.replayGuardFailure == nil else { return nil }
        if case .reduced = result.presentation, result.content.hasTexts(of: notification.content) {
            // A reduced notification stays sealed, and displays its words already.
            return nil
        }
        let admitted = admit(result, notification)
        guard admitted.presentation.isDropped, let list else { return admitted }
        list.remove([notification.identifier])
        if case .withdrawal(let push, let withdrawal) = result.presentation { withdraw(withdrawal, push, from: list) }
        return nil
    }

    /// Returns a Boolean value that indicates whether displayed content can be a fallback or a sender's placeholder.
    ///
    /// An opened notification isn't sealed any more, unless the app keeps it sealed. In that case only the words tell.
    private func isCandidate(_ content: NotificationContent) -> Bool {
        let hasOnlyBody = content.title.isEmpty && content.subtitle.isEmpty
        if hasOnlyBody, opener.fallback.all.contains(content.body) { return true }
        return !opener.keepsUserInfoSealed && content.body != opener.fallback.droppedBody
    }

    /// Returns the result, or a dropped one if the server has withdrawn the notification.
    private func admit(_ result: NotificationResult, _ notification: DeliveredNotification) -> NotificationResult {
        let admission = try? opener.admit(
            result.presentation, displaying: result.content, identifier: notification.identifier)
        guard case .withdrawn(let dropped) = admission else { return result }
        return dropped
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
    /// - Returns: The content to display instead. It's `nil` if the notification isn't sealed, displays the original
    ///   or its reduced content already, was dropped, or can't be opened now either.
    package func reopen(
        _ notification: DeliveredNotification, _ list: (any DeliveredList)? = nil
    ) -> NotificationResult? {
        Reopening(opener: self, list: list).reopen(notification)
    }
}
