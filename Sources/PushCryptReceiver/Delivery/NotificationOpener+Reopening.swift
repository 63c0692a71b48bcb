extension NotificationOpener {
    /// Opens once more what is shown as the fallback: a notification that came before the device was unlocked for the first
    /// time, or that ran out of time.
    ///
    /// - Parameter notification: what is shown, as the system has it.
    /// - Returns: what to show in its place; `nil` where it is not sealed, is shown as it should be, or does not open now
    ///   either. The replay guard is asked: what was refused as a repetition stays so, and where the guard cannot be asked,
    ///   nobody knows, so that a later attempt is the one that opens it.
    public func reopen(_ notification: DeliveredNotification) -> NotificationResult? {
        // What was opened is not sealed any more, unless the app wants it so: then the text tells.
        guard !keepsUserInfoSealed || notification.content.shows(fallback) else { return nil }
        let presented = present(notification)
        guard case .opened(let push) = presented.outcome, push.replayGuardFailure == nil else { return nil }
        return presented
    }
}

extension NotificationContent {
    /// Whether this is what is shown where a message is not opened.
    fileprivate func shows(_ fallback: FallbackText) -> Bool {
        title.isEmpty && subtitle.isEmpty && body == fallback.body
    }
}
