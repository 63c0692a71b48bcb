internal import PushCryptCore

// Keys and values: bare words, strings in either kind of quotation marks, and their escapes.
extension StringsFile {
    /// Reads the string that begins at the position; `nil` where none does.
    mutating func readString() throws(StringsProblem) -> String? {
        guard let first = peek() else { return nil }
        if first == "\"" || first == "'" { return try readQuoted(first) }
        var word = String.UnicodeScalarView()
        while let scalar = peek(), Self.isOfWord(scalar) {
            word.append(scalar)
            position += 1
        }
        return word.isEmpty ? nil : String(word)
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", ".", "-", "/", ":", "$": true
        default: false
        }
    }

    private mutating func readQuoted(_ mark: Unicode.Scalar) throws(StringsProblem) -> String {
        let start = position
        position += 1
        var string = String.UnicodeScalarView()
        while let scalar = peek(), scalar != mark {
            position += 1
            if scalar != "\\" {
                string.append(scalar)
            } else if position < text.count {
                string.append(try readEscape())
            }
        }
        guard position < text.count else { throw problem(.endlessString, at: start) }
        position += 1
        return String(string)
    }

    // MARK: Escapes

    /// Reads what stands behind a backslash.
    ///
    /// The system takes the backslash away from anything else. Here that is an error, because somebody meant something by
    /// it.
    private mutating func readEscape() throws(StringsProblem) -> Unicode.Scalar {
        let start = position
        let kind = text[position]
        position += 1
        switch kind {
        case "\"", "'", "\\", "\n", "\r": return kind
        case "a": return "\u{7}"
        case "b": return "\u{8}"
        case "t": return "\t"
        case "n": return "\n"
        case "v": return "\u{B}"
        case "f": return "\u{C}"
        case "r": return "\r"
        case "U": return try readCodeUnits(from: start)
        case "0"..."7":
            position = start
            return try readOctal()
        default: throw problem(.malformedEscape, at: start)
        }
    }

    /// Reads up to three digits, which count in an encoding that only these escapes still know.
    private mutating func readOctal() throws(StringsProblem) -> Unicode.Scalar {
        let start = position
        var code = 0
        while position < start + 3, let digit = peek(), ("0"..."7").contains(digit) {
            code = code * 8 + Int(digit.value - 0x30)
            position += 1
        }
        guard let scalar = NextStepEncoding.scalar(code) else { throw problem(.malformedEscape, at: start) }
        return scalar
    }

    private mutating func readCodeUnits(from start: Int) throws(StringsProblem) -> Unicode.Scalar {
        let unit = try readCodeUnit(from: start)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, peek() == "\\", peek(1) == "U" else {
            throw problem(.loneSurrogate, at: start)
        }
        position += 2
        let low = try readCodeUnit(from: start)
        guard (0xDC00..<0xE000).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        else { throw problem(.loneSurrogate, at: start) }
        return scalar
    }

    private mutating func readCodeUnit(from start: Int) throws(StringsProblem) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek().flatMap({ UInt8(exactly: $0.value) }), let digit = JSONText.hexadecimalDigit(byte)
            else { throw problem(.malformedEscape, at: start) }
            unit = unit << 4 | digit
            position += 1
        }
        return unit
    }
}
