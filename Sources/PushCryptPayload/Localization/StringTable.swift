/// The localized strings of an app by their keys, such as a payload's `loc-key`.
public protocol StringTable: Sendable {
    /// Returns the string with a key, or `nil` if the table has no such key.
    func string(forKey key: String) -> String?
}
