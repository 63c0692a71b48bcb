internal import PushCryptCore

/// The last change of a notification that is about to be displayed.
enum Admission: Sendable {
    /// The notification is displayed as it is.
    case unchanged
    /// The notification sets the number on the app's icon.
    case counted(Int)
    /// The server has withdrawn the notification, and this result takes its place.
    case withdrawn(NotificationResult)
}

extension NotificationOpener {
    /// Records a notification that is about to be displayed, and decides its last change.
    func admit(
        _ presentation: Presentation, displaying content: NotificationContent, identifier: String
    ) throws(PushCryptError) -> Admission {
        guard let shared else { return .unchanged }
        switch presentation {
        case .opened(let push, let thread), .reduced(let push, let thread):
            guard try shared.admit(push, identifier: identifier, thread: thread) else {
                let result = dropped(push)
                shared.forget(identifier, replacedBy: result.content)
                return .withdrawn(result)
            }
            guard shared.countsBadge, content.badge == nil else { return .unchanged }
            return .counted(try shared.count())
        case .dropped, .withdrawal, .unsealed, .fallback:
            shared.forget(identifier, replacedBy: content)
            return .unchanged
        }
    }
}

extension SharedNotifications {
    /// Forgets the notification that visible content replaces, so that a withdrawal doesn't remove this content.
    fileprivate func forget(_ identifier: String, replacedBy content: NotificationContent) {
        if content.hasText { try? forget(identifier) }
    }
}
