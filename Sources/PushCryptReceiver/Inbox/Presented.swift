internal import PushCryptCore
package import PushCryptPayload

/// A notification as it's about to be displayed: the content, and the reason for it.
package struct Presented: Sendable {
    /// The content to display, with text, or empty to display nothing.
    package var content: NotificationContent

    /// The reason for the content.
    package var outcome: PushOutcome

    /// The system's object, if it exists already: a displayed notification's, or one that the app
    /// has changed.
    package var object: (any SystemContent)?

    /// The text of the message that is displayed; `nil` if none is.
    var original: OriginalText?

    /// The state of a displayed notification whose content is displayed again.
    var earlier: DisplayedState?

    /// The notifications that the message removes; `nil` if it isn't a withdrawal.
    package var withdrawal: Withdrawal?

    /// The identifiers of notifications that display the same message, and that this one replaces.
    var doubles: [String] = []

    /// The notification that stays in its place; `nil` unless its content is displayed again.
    var kept: KeptNotification?

    /// A Boolean value that indicates whether a newer message of the account is displayed at the
    /// identifier.
    var isOutdated = false

    /// The counted number for the app's icon; `nil` leaves the number of the content.
    var badge: Int?

    /// A Boolean value that indicates whether the content has a receipt.
    var hasReceipt = false

    package init(_ content: NotificationContent, _ outcome: PushOutcome) {
        self.content = content
        self.outcome = outcome
    }

    /// Returns the notification with the system's content, which the app may have changed.
    func displaying(_ object: any SystemContent) -> Presented {
        var other = self
        other.object = object
        other.content = object.text
        return other
    }

    /// A Boolean value that indicates whether the message is, or may be, a copy of one that was
    /// opened before.
    var isCopy: Bool {
        switch outcome.kind {
        case .repeated, .replayed: true
        case .withdrawal: outcome.push?.isRepeated == true
        case .fallback: outcome.failure?.code == .possiblyReplayed
        default: false
        }
    }

    /// The state for a receipt; `nil` for a notification that gets none.
    ///
    /// A kept notification has its receipt already.
    func state(of displayed: NotificationContent) -> DisplayedState? {
        switch outcome.kind {
        case .opened: original?.state(of: displayed, isReduced: false)
        case .reduced: original?.state(of: displayed, isReduced: true)
        case .repeated: earlier ?? original?.state(of: displayed, isReduced: false)
        default: nil
        }
    }
}

extension Presented: DeliverableContent {
    var hasText: Bool { content.hasText }
    var hasOpenedMessage: Bool { outcome.push != nil }
    var isDropped: Bool { outcome.isDropped }
    var needsDeliveredList: Bool { withdrawal != nil || isCopy || isOutdated }

    func failing(because reason: PushCryptError) -> Presented {
        guard outcome.failure != nil else { return self }
        var other = self
        other.outcome = PushOutcome(.fallback, failure: reason)
        return other
    }
}

extension Presented: CustomStringConvertible, Redacted {
    /// The lengths of the title, the subtitle and the body, and the description of the outcome.
    package var description: String { "\(content), \(outcome)" }
}

/// A displayed notification that stays in its place, because its receipt proves its message.
struct KeptNotification: Sendable {
    let identifier: String
    let messageID: MessageID
    let account: String
    /// The reading of the system's list that has it.
    let listing: Ledger.Listing
}
