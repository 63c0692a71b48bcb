extension Payload {
    /// The members of a JSON dictionary that no property represents, by their names.
    ///
    /// Reading a payload keeps these members and encoding writes them again, so that nothing gets
    /// lost. They are:
    ///
    /// - Keys that Apple added later or doesn't list.
    /// - The value `null`.
    /// - Values that the property of their key can't hold: `true` for the number 1, an event or an
    ///   interruption level that this release doesn't know, a number with more digits than a
    ///   `Double`, or a title of a Live Activity that is a dictionary.
    ///
    /// If a property and a member have the same name, encoding writes the property.
    public typealias UnknownMembers = [String: JSONValue]
}
