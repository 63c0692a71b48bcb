/// The localised strings of an app, by their keys: what a payload's `loc-key` is looked up in.
public protocol StringTable: Sendable {
    /// Looks a key up.
    ///
    /// - Parameter key: the key, as a payload has it.
    /// - Returns: its string; `nil` where the table has no such key.
    func string(forKey key: String) -> String?
}
