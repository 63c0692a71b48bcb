internal import PushCryptCore

extension NotificationOpener {
    /// Returns a notification that is about to be displayed with a receipt for its text, if it displays a message.
    func proved<Platform: NotificationPlatform>(
        _ best: PresentedNotification<Platform.Content>, of notification: DeliveredNotification, on platform: Platform
    ) -> PresentedNotification<Platform.Content> {
        // As it is read back, after the app's customization.
        let content = platform.read(best.content)
        guard let push = best.presentation.push, let state = best.presentation.state(of: content) else { return best }
        let receipt = ReceiptWriter(secrets: opener.secrets).receipt(
            for: push, state, displaying: content, source: platform.source(of: best.content),
            identifier: notification.identifier)
        var proved = best
        proved.content = platform.content(best.content, withReceipt: receipt)
        proved.hasReceipt = receipt != nil
        return proved
    }
}

extension Presentation {
    /// Returns the state for a receipt; `nil` for a notification that gets none.
    ///
    /// A kept notification has its receipt already.
    fileprivate func state(of content: NotificationContent) -> DisplayedState? {
        switch self {
        case .opened(_, let original): original.state(of: content, isReduced: false)
        case .reduced(_, let original): original.state(of: content, isReduced: true)
        case .repeated(_, let original, let earlier): earlier ?? original.state(of: content, isReduced: false)
        case .kept, .dropped, .withdrawal, .challenge, .replayed, .unsealed, .fallback: nil
        }
    }
}
