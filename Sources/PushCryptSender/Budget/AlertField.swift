internal import PushCryptPayload

/// A text of the alert that may be cut so that the payload fits.
public enum AlertField: String, Sendable, Hashable, CaseIterable {
    /// The first line.
    case title
    /// The second line.
    case subtitle
    /// The text; also where the alert is a string.
    case body

    var key: PayloadKey {
        switch self {
        case .title: .title
        case .subtitle: .subtitle
        case .body: .body
        }
    }
}

/// What was cut off a text so that the payload fits.
public struct Truncation: Sendable, Hashable {
    /// Which text.
    public let field: AlertField
    /// How many characters are left, as people count them, without the `…` behind them.
    public let keptCharacters: Int
    /// How many characters are gone.
    public let removedCharacters: Int
}
