package import PushCryptCore
package import PushCryptPayload

/// The kind of content that a notification displays, with the data that only this kind has.
package enum Presentation: Sendable {
    /// The opened message; the thread is the original's.
    case opened(OpenedPush, thread: String)

    /// A part of the opened message, as the user has chosen. The app's customization must not add to it.
    case reduced(OpenedPush, thread: String)

    /// Nothing, or the quietest content, instead of an opened message.
    case dropped(OpenedPush)

    /// Nothing, or the quietest content, for a message that removes other notifications.
    case withdrawal(OpenedPush, Withdrawal)

    /// The delivered content, because the app allows payloads that aren't sealed.
    case unsealed

    /// The app's fallback, and the reason for it.
    case fallback(PushCryptError)

    /// The opened message; `nil` if no message was opened.
    package var push: OpenedPush? {
        switch self {
        case .opened(let push, _), .reduced(let push, _), .dropped(let push), .withdrawal(let push, _): push
        case .unsealed, .fallback: nil
        }
    }

    /// The reason for the fallback; `nil` if the fallback isn't displayed.
    package var failure: PushCryptError? {
        if case .fallback(let reason) = self { reason } else { nil }
    }

    /// A Boolean value that indicates whether a message was opened and isn't displayed.
    package var isDropped: Bool {
        switch self {
        case .dropped, .withdrawal: true
        case .opened, .reduced, .unsealed, .fallback: false
        }
    }

    /// The notifications that the message removes; `nil` if it isn't a withdrawal.
    package var withdrawal: Withdrawal? {
        if case .withdrawal(_, let withdrawal) = self { withdrawal } else { nil }
    }
}
