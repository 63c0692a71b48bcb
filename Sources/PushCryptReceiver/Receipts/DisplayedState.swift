/// The relation between the text that a notification displays and the message in it, as the
/// extension's receipt proves it.
///
/// The sealed value doesn't bind what the system displays: an attacker who can send pushes delivers
/// a recorded value under another text, without `mutable-content`, so that no extension runs. Only
/// ``asSealed`` and ``reduced`` mean that the user has seen what the sender wrote, or less.
public struct DisplayedState: Sendable, Hashable, CustomStringConvertible {
    /// A stable name for logs, such as `as-sealed`.
    public let description: String

    /// The byte in a receipt.
    let code: UInt8

    /// The notification displays the original's text and category.
    public static let asSealed = Self(description: "as-sealed", code: 1)
    /// The notification displays the part of the original that the user has chosen, with the app's
    /// words.
    public static let reduced = Self(description: "reduced", code: 2)
    /// The notification displays another text than the original's: the app's customization or
    /// another framework in the extension has changed it.
    public static let otherText = Self(description: "other-text", code: 3)
    /// The notification has another category than the original's, and thus other actions.
    public static let decorated = Self(description: "decorated", code: 4)
    /// The extension hasn't left a receipt for this text: it didn't run or couldn't open the
    /// message, or the text is an attacker's.
    public static let notByUs = Self(description: "not-by-us", code: 5)
    /// The receipt can't be judged: the key can't be read here, wasn't there when the extension
    /// ran, or is on another device, as for a notification that an Apple Watch displays for its
    /// iPhone.
    ///
    /// An attacker can cause it, too.
    public static let unknown = Self(description: "unknown", code: 0)

    /// The states that a receipt proves.
    static let proved: [DisplayedState] = [asSealed, reduced, otherText, decorated]

    /// The states in which the user has seen what the sender wrote, or less.
    public static let trusted: Set<DisplayedState> = [asSealed, reduced]
}
