public import PushCryptCore

/// A table of strings in memory, for tests, servers and tools without a bundle of the app.
///
/// It compares keys scalar for scalar, like the system: `é` in one scalar isn't `é` in two.
public struct DictionaryStringTable: StringTable {
    /// The strings by the UTF-8 of their keys, because equal strings may have different scalars.
    private let strings: [[UInt8]: String]

    /// Creates a table from a dictionary.
    public init(_ strings: [String: String]) {
        self.strings = Dictionary(
            uniqueKeysWithValues: strings.map { (Array($0.key.utf8), $0.value) })
    }

    /// Parses the source of a `.strings` file, in UTF-8 or in UTF-16 with a byte order mark, or of
    /// a string catalog (`.xcstrings`).
    ///
    /// A `.strings` file has string values only, no duplicate keys, no escapes other than Apple's,
    /// and no braces around its entries. Write characters beyond U+FFFF directly, not as two `\U`
    /// escapes. Of a catalog, the table has the strings of the source language. A key without a
    /// text is its own text.
    ///
    /// - Throws: ``PushCryptError`` with `malformedStrings`.
    public init(parsing stringsFile: some Collection<UInt8>) throws(PushCryptError) {
        let file = Array(stringsFile)
        self.init(
            try StringCatalog.isCatalog(file)
                ? StringCatalog.strings(in: file) : StringsFile.strings(in: file))
    }

    /// Returns the string with a key, or `nil` if the table has no such key.
    public func string(forKey key: String) -> String? { strings[Array(key.utf8)] }
}
