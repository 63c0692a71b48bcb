/// The form in which a payload is checked.
public enum LintSubject: String, Sendable, Hashable, CaseIterable {
    /// An original that is still to be sealed.
    case original
    /// A sealed payload, which has an `ENCRYPTED_DATA`.
    case sealed
}
