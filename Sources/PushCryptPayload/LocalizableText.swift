/// A text, or a key of the app's string table that the system looks up in the user's language.
///
/// ```swift
/// let placeholder = Placeholder(title: "Example Bank", body: .localized(key: "NEW_MESSAGE"))
/// ```
public enum LocalizableText: Sendable, Hashable, ExpressibleByStringLiteral {
    /// A text.
    case text(String)
    /// A key of the app's string table, and the arguments for the `%@` in its string.
    case localized(key: String, arguments: [String] = [])

    /// A Boolean value that indicates whether the text or the key is empty.
    package var isEmpty: Bool {
        switch self {
        case .text(let text): text.isEmpty
        case .localized(let key, _): key.isEmpty
        }
    }

    /// Creates a text.
    public init(stringLiteral value: String) { self = .text(value) }
}
