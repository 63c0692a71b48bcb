/// The reason why bytes aren't one strict JSON object, and its location.
struct JSONProblem: Error, Hashable {
    /// The offset of the first byte that isn't valid.
    let offset: Int

    let what: Kind

    /// Returns the location for people: the line and the column, both from 1, and the byte.
    func location(in bytes: Span<UInt8>) -> String {
        var line = 1
        var column = 1
        for index in 0..<min(offset, bytes.count) {
            if bytes[index] == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if bytes[index] & 0b1100_0000 != 0b1000_0000 {
                // The other bytes of a character don't count.
                column += 1
            }
        }
        return "line \(line), column \(column) (byte \(offset))"
    }

    /// The kinds of problems, with fixed wording, so that an error contains no piece of the
    /// payload.
    enum Kind: String, CaseIterable {
        case byteOrderMark = "a byte order mark is not allowed"
        case isUTF16 = "the text is UTF-16, and must be UTF-8"
        case notAnObject = "an opening brace is missing"
        case unexpectedEnd = "the text ends too early"
        case trailingBytes = "the text continues after the object"
        case expectedValue = "a value is missing or invalid"
        case expectedKey = "a name in quotation marks is missing"
        case expectedColon = "the colon after a name is missing"
        case expectedCommaOrBrace = "a comma or a closing brace is missing"
        case expectedCommaOrBracket = "a comma or a closing bracket is missing"
        case malformedNumber = "a number is invalid"
        case controlCharacter = "a control character in a string is not escaped"
        case malformedEscape = "an escape sequence is invalid"
        case loneSurrogate = "half of a surrogate pair is missing"
        case malformedUTF8 = "the text is not UTF-8"
        case duplicateKey = "a name occurs twice in one object"
        case tooDeep = "there are more than 64 levels of objects and arrays"
    }
}
