internal import PushCryptCore

/// A reader of string catalogs, `.xcstrings`: JSON with the strings of all languages.
///
/// Source:
/// https://developer.apple.com/documentation/xcode/localizing-and-varying-text-with-a-string-catalog
enum StringCatalog {
    /// Returns a Boolean value that indicates whether a file begins as a catalog does, and no
    /// `.strings` file.
    static func isCatalog(_ file: [UInt8]) -> Bool {
        file.lazy.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }.prefix(2).elementsEqual(
            #"{""#.utf8)
    }

    /// Returns the strings of the catalog's source language by their keys.
    ///
    /// A key without a text is its own text, as in Xcode. Of texts that vary by number or device,
    /// the table has the general one, because a push has no number.
    ///
    /// - Throws: ``PushCryptError`` with `malformedStrings`, without text of the file.
    static func strings(in file: [UInt8]) throws(PushCryptError) -> [String: String] {
        guard let catalog = try? JSONValue(parsing: file),
            let language = catalog["sourceLanguage"]?.stringValue,
            let entries = catalog["strings"]?.objectValue
        else {
            throw PushCryptError(
                .malformedStrings,
                """
                The string catalog isn't valid. Give the .xcstrings file of the Xcode project, or \
                a .strings file.
                """)
        }
        var strings: [String: String] = [:]
        for (key, entry) in entries {
            strings[key] = entry["localizations"]?[language].flatMap(text) ?? key
        }
        return strings
    }

    private static func text(of localization: JSONValue) -> String? {
        if let text = localization["stringUnit"]?["value"]?.stringValue { return text }
        let variations = localization["variations"]
        for kind in ["plural", "device"] {
            if let other = variations?[kind]?["other"] { return text(of: other) }
        }
        return nil
    }
}
