internal import PushCryptCore

/// The last change of a notification that is about to be displayed.
enum Admission: Sendable {
    /// The notification is displayed as it is.
    case unchanged
    /// The notification is displayed instead of others with the same message, and sets the number on the app's icon
    /// unless that is `nil`.
    case shown(instead: [String], badge: Int?)
    /// The server has withdrawn the notification, or may have, and this result takes its place.
    case withdrawn(NotificationResult)
}

extension NotificationOpener {
    /// Records a notification that is about to be displayed, and decides its last change.
    func admit(
        _ presentation: Presentation, displaying content: NotificationContent, of notification: DeliveredNotification,
        doubles: [String] = []
    ) throws(PushCryptError) -> Admission {
        guard let shared else { return doubles.isEmpty ? .unchanged : .shown(instead: doubles, badge: nil) }
        let identifier = notification.identifier
        switch presentation {
        case .opened(let push, let original), .reduced(let push, let original), .repeated(let push, let original, _):
            switch try shared.admit(push, identifier: identifier, thread: original.thread, doubles: doubles) {
            case .shown(let doubles):
                let isCounted = shared.countsBadge && content.badge == nil && !presentation.isRepeated
                return .shown(instead: doubles, badge: isCounted ? try shared.count() : nil)
            case .withdrawn:
                let result = dropped(push)
                shared.forget(identifier, replacedBy: result.content)
                return .withdrawn(result)
            case .possiblyWithdrawn:
                let result = fallback(for: notification, because: Self.possiblyWithdrawn)
                shared.forget(identifier, replacedBy: result.content)
                return .withdrawn(result)
            }
        case .dropped(let push):
            // The app's code doesn't run for a copy, which would be displayed otherwise.
            try shared.drop(push)
            shared.forget(identifier, replacedBy: content)
            return .unchanged
        case .challenge:
            // An extension sends nothing, so the app answers it at its next launch.
            if let value = try? notification.sealedValue.get() { try shared.storeChallenge(value) }
            shared.forget(identifier, replacedBy: content)
            return .unchanged
        case .withdrawal, .replayed, .unsealed, .fallback:
            shared.forget(identifier, replacedBy: content)
            return .unchanged
        case .kept:
            // The displayed notification stays, with its entry.
            return .unchanged
        }
    }

    private static let possiblyWithdrawn = PushCryptError(
        .possiblyWithdrawn,
        """
        The message may have been withdrawn: the list of withdrawals was lost, or got full, after it was issued. Seal \
        the message again after the app has started.
        """)
}

extension SharedNotifications {
    /// Forgets the notification that visible content replaces, so that a withdrawal doesn't remove this content.
    fileprivate func forget(_ identifier: String, replacedBy content: NotificationContent) {
        if content.hasText { try? forget(identifier) }
    }
}
