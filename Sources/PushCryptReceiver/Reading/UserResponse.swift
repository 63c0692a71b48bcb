public import PushCryptCore

/// The user's response to a notification: a tap, an action or a reply, with what the notification
/// displayed.
///
/// A tap needs no check: it opens the app, which shows the message itself. An action or a reply
/// follows from the text that the user has seen, which may be an attacker's. So check
/// ``isAccepted(allowing:)`` before you act, and keep a reply that you don't send:
///
/// ```swift
/// let response = inbox.response("REPLY", text: "See you at 8.", to: displayed)
/// if response.isAccepted() {
///     print("Send", response.text ?? "")
/// } else {
///     print("Keep as a draft", response.text ?? "", response.state)
/// }
/// ```
public struct UserResponse: Sendable {
    /// The identifier of the action.
    public let action: String

    /// The text of a reply; `nil` for other responses.
    ///
    /// It's there even if the message can't be read, so that the app never loses it.
    public let text: String?

    /// The reader of the message; `nil` if the message can't be read.
    public let reader: PayloadReader?

    /// The reason why the message can't be read; `nil` if it can.
    public let failure: PushCryptError?

    init(
        action: String, text: String?, _ read: Result<PayloadReader, PushCryptError>
    ) {
        self.action = action
        self.text = text
        switch read {
        case .success(let reader):
            self.reader = reader
            failure = nil
        case .failure(let error):
            reader = nil
            failure = error
        }
    }

    /// The state of the displayed text; ``DisplayedState/notByUs`` if the message can't be read.
    public var state: DisplayedState { reader?.state ?? .notByUs }

    /// Returns a Boolean value that indicates whether the app may act on the response.
    ///
    /// - Parameter others: States that the app accepts besides ``DisplayedState/trusted``, such as
    ///   ``DisplayedState/otherText`` if its extension changes texts. They never accept a message
    ///   that can't be read.
    /// - Returns: `true` if the message can be read and its state is accepted.
    public func isAccepted(allowing others: Set<DisplayedState> = []) -> Bool {
        reader != nil && DisplayedState.trusted.union(others).contains(state)
    }
}

extension UserResponse: CustomStringConvertible, Redacted {
    /// The action and the state, without the text.
    public var description: String { "UserResponse \(action), \(state)" }
}
