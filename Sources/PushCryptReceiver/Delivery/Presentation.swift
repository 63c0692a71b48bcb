package import PushCryptCore
package import PushCryptPayload

/// The kind of content that a notification displays, with the data that only this kind has.
package enum Presentation: Sendable {
    /// The opened message.
    case opened(OpenedPush, OriginalText)

    /// A part of the opened message, as the user has chosen. The app's customization must not add to it.
    case reduced(OpenedPush, OriginalText)

    /// The opened message again, silently, because its push came twice within an hour.
    case repeated(OpenedPush, OriginalText, DisplayedState?)

    /// Nothing, or the quietest content, instead of an opened message.
    case dropped(OpenedPush)

    /// Nothing, or the quietest content, for a message that removes other notifications.
    case withdrawal(OpenedPush, Withdrawal)

    /// The content of a challenge, which asks the user to start the app.
    case challenge(OpenedPush)

    /// Nothing, or the quietest content, for a message that was opened more than an hour ago.
    case replayed(PushCryptError)

    /// The content of the displayed notification that a copy of a message would replace, with the copy's own kind.
    indirect case kept(Presentation)

    /// The delivered content, because the app allows payloads that aren't sealed.
    case unsealed

    /// The app's fallback, and the reason for it.
    case fallback(PushCryptError)

    /// The opened message; `nil` if no message was opened.
    package var push: OpenedPush? {
        switch self {
        case .opened(let push, _), .reduced(let push, _), .repeated(let push, _, _), .dropped(let push),
            .withdrawal(let push, _), .challenge(let push):
            push
        case .kept(let copy): copy.push
        case .replayed, .unsealed, .fallback: nil
        }
    }

    /// The reason for the fallback, or for the rejection of a replayed message; otherwise `nil`.
    package var failure: PushCryptError? {
        switch self {
        case .fallback(let reason), .replayed(let reason): reason
        case .kept(let copy): copy.failure
        case .opened, .reduced, .repeated, .dropped, .withdrawal, .challenge, .unsealed: nil
        }
    }

    /// A Boolean value that indicates whether a message isn't displayed, although nothing is wrong with it.
    package var isDropped: Bool {
        switch self {
        case .dropped, .withdrawal, .replayed: true
        case .opened, .reduced, .repeated, .challenge, .kept, .unsealed, .fallback: false
        }
    }

    /// A Boolean value that indicates whether the message was opened within the last hour already.
    var isRepeated: Bool {
        switch self {
        case .repeated: true
        case .kept(let copy): copy.isRepeated
        case .opened, .reduced, .dropped, .withdrawal, .challenge, .replayed, .unsealed, .fallback: false
        }
    }

    /// The notifications that the message removes; `nil` if it isn't a withdrawal.
    package var withdrawal: Withdrawal? {
        if case .withdrawal(_, let withdrawal) = self { withdrawal } else { nil }
    }

    /// A Boolean value that indicates whether the message is, or may be, a copy of one that was opened before.
    var isCopy: Bool {
        switch self {
        case .repeated, .replayed: true
        case .withdrawal(let push, _): push.isRepeated
        case .fallback(let reason): reason.code == .possiblyReplayed
        case .opened, .reduced, .dropped, .challenge, .kept, .unsealed: false
        }
    }
}
