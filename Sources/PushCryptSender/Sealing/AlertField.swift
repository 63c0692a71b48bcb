/// A part of the alert that the sealer may truncate.
public enum AlertField: String, Sendable, Hashable, CaseIterable {
    /// The title.
    case title
    /// The subtitle.
    case subtitle
    /// The body, or the alert if it is a string.
    case body
}

/// A part of the alert that was truncated so that the payload fits.
public struct Truncation: Sendable, Hashable {
    /// The truncated part.
    public let field: AlertField
    /// The number of characters before the `…`.
    public let keptCharacters: Int
    /// The number of removed characters.
    public let removedCharacters: Int
}
