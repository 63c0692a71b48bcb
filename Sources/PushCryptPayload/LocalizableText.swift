/// Words to display, or a key of the app's string table that the system looks up in the user's
/// language.
///
/// ```swift
/// let placeholder = Placeholder(title: "Example Bank", body: .localized(key: "NEW_MESSAGE"))
/// ```
public enum LocalizableText: Sendable, Hashable, ExpressibleByStringLiteral {
    /// Words to display.
    case text(String)
    /// A key of the app's string table, and the arguments for the `%@` in its string.
    case localized(key: String, arguments: [String] = [])

    /// The words, or the key, which the system displays if the string table doesn't have it.
    package var text: String {
        switch self {
        case .text(let text), .localized(let text, _): text
        }
    }

    /// The words or the key, and the arguments.
    package var texts: [String] {
        if case .localized(let key, let arguments) = self { [key] + arguments } else { [text] }
    }

    /// Creates words to display.
    public init(stringLiteral value: String) { self = .text(value) }
}
