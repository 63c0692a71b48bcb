/// A reader of Apple's `.strings` files: `"key" = "value";`, in the syntax of old-style property lists.
///
/// It takes no other value than a string, and not the braces that the system lets stand around the whole.
struct StringsFile {
    let text: [Unicode.Scalar]
    var position = 0

    /// Reads a whole file.
    ///
    /// - Parameter file: its bytes.
    /// - Returns: the strings by the UTF-8 of their keys.
    /// - Throws: what is wrong, and in which line.
    static func strings(in file: [UInt8]) throws(StringsProblem) -> [[UInt8]: String] {
        var reader = StringsFile(text: try StringsText.scalars(of: file))
        var strings: [[UInt8]: String] = [:]
        try reader.skipBlanks()
        while reader.position < reader.text.count {
            let start = reader.position
            let entry = try reader.readEntry()
            guard strings.updateValue(entry.value, forKey: Array(entry.key.utf8)) == nil else {
                throw StringsProblem(.duplicateKey, at: start, in: reader.text)
            }
            try reader.skipBlanks()
        }
        return strings
    }

    func problem(_ what: StringsProblem.Kind, at position: Int) -> StringsProblem {
        StringsProblem(what, at: position, in: text)
    }

    /// The scalar at the position, or as many behind it; `nil` beyond the end.
    func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        position + distance < text.count ? text[position + distance] : nil
    }

    // MARK: Entries

    private mutating func readEntry() throws(StringsProblem) -> (key: String, value: String) {
        guard let key = try readString() else { throw problem(.expectedKey, at: position) }
        // What is missing is missing where the entry so far ends, which may be lines before the next token.
        var end = position
        try skipBlanks()
        if take(";") { return (key, key) }
        guard take("=") else { throw problem(.expectedEqualSignOrSemicolon, at: end) }
        end = position
        try skipBlanks()
        guard let value = try readString() else { throw problem(.expectedValue, at: end) }
        end = position
        try skipBlanks()
        guard take(";") else { throw problem(.expectedSemicolon, at: end) }
        return (key, value)
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == scalar else { return false }
        position += 1
        return true
    }

    // MARK: White space and comments

    private mutating func skipBlanks() throws(StringsProblem) {
        while let scalar = peek() {
            if Self.isBlank(scalar) {
                position += 1
            } else if scalar == "/", peek(1) == "/" {
                while let next = peek(), !Self.endsLine(next) { position += 1 }
            } else if scalar == "/", peek(1) == "*" {
                try skipComment()
            } else {
                return
            }
        }
    }

    private mutating func skipComment() throws(StringsProblem) {
        let start = position
        position += 2
        while peek() != "*" || peek(1) != "/" {
            guard position < text.count else { throw problem(.endlessComment, at: start) }
            position += 1
        }
        position += 2
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || ("\u{9}"..."\u{D}").contains(scalar) || scalar == "\u{2028}" || scalar == "\u{2029}"
    }

    private static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\r" || scalar == "\u{2028}" || scalar == "\u{2029}"
    }
}
