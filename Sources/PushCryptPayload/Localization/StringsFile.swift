internal import PushCryptCore
internal import PushCryptFoundation

/// A reader of `.strings` files: `"key" = "value";`.
///
/// Foundation reads them too, but it keeps the last of duplicate keys and ignores all text after an
/// unexpected character. The scan finds both.
struct StringsFile {
    private let text: [Unicode.Scalar]
    private var position = 0

    /// Returns the strings of a file by their keys.
    ///
    /// - Throws: ``PushCryptError`` with `malformedStrings`, without text of the file.
    static func strings(in file: [UInt8]) throws(PushCryptError) -> [String: String] {
        let text = try text(of: file)
        let scalars = text.unicodeScalars.drop { $0 == "\u{FEFF}" }
        var scan = StringsFile(text: Array(scalars))
        let count = try scan.countEntries()
        // Foundation rejects an empty file.
        guard count > 0 else { return [:] }
        let strings: [String: String]
        do {
            strings = try PropertyListDecoder().decode(
                [String: String].self, from: Data(String(scalars).utf8))
        } catch {
            throw PushCryptError(
                .malformedStrings,
                """
                The strings file isn't valid\(line(of: error)). Write each entry as "key" = \
                "value";.
                """)
        }
        guard strings.count == count else {
            throw PushCryptError(
                .malformedStrings,
                "The strings file has a key more than once. Remove the duplicates.")
        }
        return strings
    }

    /// Decodes a text file in UTF-8, or in UTF-16 with a byte order mark.
    private static func text(of file: [UInt8]) throws(PushCryptError) -> String {
        if file.starts(with: "bplist00".utf8) || file.starts(with: "<?xml".utf8) {
            throw PushCryptError(
                .malformedStrings,
                "The strings file is compiled. Give the text file of the Xcode project.")
        }
        let isUTF16 = file.starts(with: [0xFF, 0xFE]) || file.starts(with: [0xFE, 0xFF])
        guard let text = String(bytes: file, encoding: isUTF16 ? .utf16 : .utf8),
            !text.utf8.contains(0)
        else {
            throw PushCryptError(
                .malformedStrings,
                """
                The strings file isn't valid text. Save it in UTF-8, or in UTF-16 with a byte \
                order mark.
                """)
        }
        return text
    }

    /// Returns the line number of Foundation's error, without its text, which may quote the file.
    private static func line(of error: any Error) -> String {
        let words = "\(error)".split { !$0.isLetter && !$0.isNumber }
        guard let index = words.lastIndex(of: "line"), index + 1 < words.count,
            let line = Int(words[index + 1])
        else {
            return ""
        }
        return " in line \(line)"
    }

    private init(text: [Unicode.Scalar]) { self.text = text }

    /// Moves after the end of a comment that begins with `/*`.
    private mutating func skipComment(from start: Int) throws(PushCryptError) {
        position += 1
        while !text[position...].starts(with: "*/".unicodeScalars) {
            guard position < text.count else { throw malformed("a comment has no end", at: start) }
            position += 1
        }
        position += 2
    }

    private mutating func countEntries() throws(PushCryptError) -> Int {
        var count = 0
        var isInEntry = false
        while position < text.count {
            let start = position
            position += 1
            switch text[start] {
            case "\"", "'":
                try skipString(from: start)
                isInEntry = true
            case "/" where text[position...].first == "/":
                position = text[start...].firstIndex(where: Self.endsLine) ?? text.count
            case "/" where text[position...].first == "*":
                try skipComment(from: start)
            case ";" where isInEntry:
                count += 1
                isInEntry = false
            case "=" where isInEntry, " ", "\t"..."\r", "\u{2028}", "\u{2029}":
                break
            case let scalar where Self.isWord(scalar):
                // The slashes of a word begin no comment.
                position = text[start...].firstIndex { !Self.isWord($0) } ?? text.count
                isInEntry = true
            default:
                throw malformed("a character is unexpected", at: start)
            }
        }
        guard !isInEntry else { throw malformed("a semicolon is missing", at: text.count) }
        return count
    }

    private mutating func skipString(from start: Int) throws(PushCryptError) {
        while position < text.count, text[position] != text[start] {
            if text[position] == "\\" {
                position += 1
                guard hasValidEscape else {
                    throw malformed("an escape isn't valid", at: position - 1)
                }
            }
            position += 1
        }
        guard position < text.count else {
            throw malformed("a string has no closing quotation mark", at: start)
        }
        position += 1
    }

    /// A Boolean value that indicates whether the escape whose letter is next means the same
    /// character everywhere.
    ///
    /// Foundation has two readers, and Xcode has its own. They differ in `\f`, `\v` and digits,
    /// which few files have.
    private var hasValidEscape: Bool {
        guard position < text.count else { return false }
        if text[position] == "U" {
            // Without digits, Foundation reads U+0000.
            return text.dropFirst(position + 1).first?.properties.isASCIIHexDigit == true
        }
        // Foundation reads \u0041 as u0041.
        return "\"'\\\n\rabnrt".unicodeScalars.contains(text[position])
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            || "_.-/:$".unicodeScalars.contains(scalar)
    }

    private static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
        "\n\r\u{2028}\u{2029}".unicodeScalars.contains(scalar)
    }

    private func malformed(_ what: String, at index: Int) -> PushCryptError {
        let line = text[..<index].count { $0 == "\n" } + 1
        return PushCryptError(
            .malformedStrings,
            "The strings file isn't valid in line \(line): \(what). Correct the line.")
    }
}
