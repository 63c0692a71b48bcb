internal import PushCryptCore

/// Why some bytes are not the text of a `.strings` file, and where.
struct StringsProblem: Error, Hashable {
    /// The line, from one.
    let line: Int

    /// What is wrong there.
    ///
    /// The texts are fixed, so none can carry a piece of the file.
    let what: Kind

    /// The things that can be wrong.
    enum Kind: String, Sendable, CaseIterable {
        case propertyList = "a property list in binary or XML, as Xcode makes it; give the text that it was made of"
        case malformedUTF8 = "not UTF-8; UTF-16 must begin with a byte order mark"
        case malformedUTF16 = "not UTF-16: half of a surrogate pair, or half of a code unit"
        case zero = "a zero character; UTF-16 must begin with a byte order mark, and UTF-32 is not read"
        case expectedKey = "not the beginning of a key (a semicolon too many, perhaps, or a quotation mark in a string)"
        case expectedEqualSignOrSemicolon = "neither an equal sign nor a semicolon after the key"
        case expectedValue = "no string after the equal sign"
        case expectedSemicolon = "no semicolon after the value"
        case endlessString = "a string without its closing quotation mark"
        case endlessComment = "a comment without its end"
        case malformedEscape = "a backslash that begins no escape sequence of such a file"
        case loneSurrogate = "half of a surrogate pair"
        case duplicateKey = "a key that the file already has"
    }

    init(_ what: Kind, line: Int) {
        self.what = what
        self.line = line
    }

    /// Counts the lines before a place, which nothing needs but an error.
    ///
    /// U+2028 and U+2029 end no line here, as in most editors.
    init(_ what: Kind, at position: Int, in text: [Unicode.Scalar]) {
        var line = 1
        for index in 0..<min(position, text.count) {
            // A carriage return and a line feed are one line break, which counts with its line feed.
            let beforeLineFeed = index + 1 < text.count && text[index + 1] == "\n"
            if text[index] == "\n" || text[index] == "\r" && !beforeLineFeed { line += 1 }
        }
        self.init(what, line: line)
    }

    /// The same as an error for users.
    var error: PushCryptError {
        PushCryptError(.malformedStrings, "The strings file cannot be read: in line \(line), \(what.rawValue).")
    }
}
