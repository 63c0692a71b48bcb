internal import PushCryptCore
public import PushCryptPayload

/// The app's own words, which are displayed if a message can't be opened or isn't displayed in
/// full.
///
/// ```swift
/// let texts = FallbackText("New message", locked: "You may have new messages")
/// ```
public struct FallbackText: Sendable, Hashable {
    /// The text if a message can't be opened, never empty.
    package let body: String
    /// The text for messages to removed accounts, never empty.
    let removedAccountBody: String
    /// The text until the device is unlocked for the first time after a restart, never empty.
    let lockedBody: String
    /// The text instead of an original's body, never empty.
    let hiddenBody: String
    /// The text instead of a notification that isn't displayed, never empty.
    let droppedBody: String

    /// The standard words: `(Encrypted)`, and `(Removed)` for a notification that isn't displayed.
    public static let standard = FallbackText("(Encrypted)")

    /// Creates a fallback in the user's language.
    ///
    /// - Parameters:
    ///   - body: The text if a message can't be opened. An empty string becomes `(Encrypted)`,
    ///     because the system ignores content without text.
    ///   - removedAccount: The text for messages to accounts that the app has removed; empty
    ///     displays `body`.
    ///   - locked: The text until the device is unlocked for the first time after a restart; empty
    ///     displays `body`.
    ///   - hidden: The text instead of an original's body, if the user wants to see less; empty
    ///     displays `body`.
    ///   - dropped: The text instead of a notification that the app or the server has withdrawn, if
    ///     the extension must display something; empty displays `(Removed)`.
    public init(
        _ body: String, removedAccount: String = "", locked: String = "", hidden: String = "",
        dropped: String = ""
    ) {
        self.body = body.isEmpty ? "(Encrypted)" : body
        removedAccountBody = removedAccount.isEmpty ? self.body : removedAccount
        lockedBody = locked.isEmpty ? self.body : locked
        hiddenBody = hidden.isEmpty ? self.body : hidden
        droppedBody = dropped.isEmpty ? "(Removed)" : dropped
    }

    /// Creates a fallback with a string of a string table; `(Encrypted)` if the table doesn't have
    /// the key.
    public init(key: String, in strings: any StringTable) {
        self.init(strings.string(forKey: key) ?? "")
    }

    /// Returns the text for a failure.
    func text(for code: PushCryptError.Code) -> String {
        switch code {
        case .removedAccount: removedAccountBody
        case .deviceLocked: lockedBody
        default: body
        }
    }

    /// The words for all failures.
    var all: [String] { [body, removedAccountBody, lockedBody] }
}
