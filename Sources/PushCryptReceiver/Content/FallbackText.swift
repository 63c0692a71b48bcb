public import PushCryptPayload

/// What is shown where a message is not opened.
public struct FallbackText: Sendable, Hashable {
    /// The text, never empty.
    public let body: String

    /// The text `(Encrypted)`.
    public static let standard = FallbackText("(Encrypted)")

    /// Takes a text of the app's own, in the user's language.
    ///
    /// - Parameter body: the text. Where it is empty, `(Encrypted)` is shown, because the system ignores content without
    ///   text and would show the payload as it was delivered.
    public init(_ body: String) {
        self.body = body.isEmpty ? "(Encrypted)" : body
    }

    /// Takes a text of the app's string table, in the user's language.
    ///
    /// - Parameters:
    ///   - key: the text's key; where the table has none, `(Encrypted)` is shown.
    ///   - strings: the table.
    public init(key: String, in strings: any StringTable) {
        self.init(strings.string(forKey: key) ?? "")
    }
}
