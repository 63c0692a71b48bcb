public import PushCryptCore

/// A table of strings in memory, for tests, servers and tools, which have no bundle of the app.
///
/// Keys are compared scalar for scalar, as the system compares them: `é` in one scalar is not `é` in two.
public struct DictionaryStringTable: StringTable, ExpressibleByDictionaryLiteral {
    /// The strings by the UTF-8 of their keys.
    ///
    /// Not by `String`, which calls more keys equal than the system does, and takes quadratic time to hash a key of nothing
    /// but combining marks.
    let strings: [[UInt8]: String]

    /// Makes a table of a dictionary.
    ///
    /// - Parameter strings: the strings by their keys.
    public init(_ strings: [String: String]) {
        self.init(pairs: strings.lazy.map { ($0.key, $0.value) })
    }

    /// Makes a table of a literal; of two strings with one key it has the last.
    ///
    /// - Parameter elements: keys and their strings.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(pairs: elements)
    }

    /// Reads the text of a `.strings` file, in UTF-8, or in UTF-16 with a byte order mark.
    ///
    /// What it takes means the same to the system. It does not take mistakes that the system passes over (a key that is
    /// there twice, a comment without an end, an escape that is none, such as `\u0041` for `\U0041`), nor values that are
    /// no strings, nor braces around the whole.
    ///
    /// - Parameter stringsFile: the file's bytes, as they are before Xcode compiles them.
    /// - Throws: ``PushCryptError`` with `malformedStrings` and the line of what is wrong.
    public init(parsing stringsFile: [UInt8]) throws(PushCryptError) {
        do throws(StringsProblem) {
            strings = try StringsFile.strings(in: stringsFile)
        } catch {
            throw error.error
        }
    }

    /// The same for `Data`, or the `utf8` of a string.
    ///
    /// - Parameter stringsFile: the file's bytes, as they are before Xcode compiles them.
    /// - Throws: ``PushCryptError`` as for an array of bytes.
    @inlinable
    public init(parsing stringsFile: some Collection<UInt8>) throws(PushCryptError) {
        try self.init(parsing: Array(stringsFile))
    }

    private init(pairs: some Sequence<(String, String)>) {
        strings = Dictionary(pairs.map { (Array($0.utf8), $1) }) { _, last in last }
    }

    /// The string with a key; `nil` where there is none.
    public func string(forKey key: String) -> String? {
        strings[Array(key.utf8)]
    }
}
