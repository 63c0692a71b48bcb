/// Why some bytes are not the one strict JSON object that they should be, and where.
package struct JSONProblem: Error, Hashable {
    /// The offset in bytes, from zero, of the first byte that cannot stand where it stands.
    package let offset: Int

    /// What is wrong there.
    ///
    /// The texts are fixed, so none can carry a piece of the payload.
    package let what: Kind

    /// The things that can be wrong.
    package enum Kind: String, Sendable, CaseIterable {
        case byteOrderMark = "a byte order mark; JSON between systems has none"
        case notAnObject = "not the beginning of a JSON object"
        case unexpectedEnd = "the text ends before the JSON does"
        case trailingBytes = "something follows the JSON object"
        case expectedValue = "not the beginning of a JSON value"
        case expectedKey = "not the quotation mark that begins a member's name (a comma too many, perhaps)"
        case expectedColon = "not the colon after a member's name"
        case expectedCommaOrBrace = "neither a comma nor the brace that ends the object"
        case expectedCommaOrBracket = "neither a comma nor the bracket that ends the array"
        case malformedNumber = "not a number as JSON spells it"
        case controlCharacter = "a control character in a string; write it as \\u00XX"
        case malformedEscape = "not an escape sequence of JSON"
        case loneSurrogate = "half of a surrogate pair"
        case malformedUTF8 = "not UTF-8"
        case duplicateKey = "a member's name that this object already has"
        case tooLong = "more bytes than are ever read"
        case tooDeep = "more than 64 levels of objects and arrays"
    }

    /// The same as an error for users.
    package var error: PushCryptError {
        PushCryptError(
            .malformedJSON, "The payload is not one strict JSON object: at byte \(offset), \(what.rawValue).")
    }
}
