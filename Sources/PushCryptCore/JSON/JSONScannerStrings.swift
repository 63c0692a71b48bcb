// Strings: plain text fast, escapes and UTF-8 exactly.
extension JSONScanner {
    /// Scans the rest of a string after its opening quotation mark, the closing one included, and returns whether there
    /// are escapes in it.
    mutating func scanString(_ bytes: Span<UInt8>) throws(JSONProblem) -> Bool {
        var escapes = false
        while true {
            position = Self.endOfPlainText(bytes, from: position)
            guard let byte = peek(bytes) else { throw problem(.unexpectedEnd) }
            if byte == UInt8(ascii: "\"") {
                position &+= 1
                return escapes
            }
            if byte == UInt8(ascii: "\\") {
                escapes = true
                try scanEscape(bytes)
            } else if byte >= 0x80 {
                try scanMultibyte(bytes)
            } else {
                throw problem(.controlCharacter)
            }
        }
    }

    /// The first place, from a place on, that is not plain ASCII text: a quotation mark, a backslash, a control
    /// character, a byte of a longer UTF-8 sequence, or the end.
    @inline(__always)
    static func endOfPlainText(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var position = start
        while bytes.count &- position >= 16 {
            let low = stops(bytes.littleEndianWord(at: position))
            let high = stops(bytes.littleEndianWord(at: position &+ 8))
            if low != 0 { return position &+ low.trailingZeroBitCount / 8 }
            if high != 0 { return position &+ 8 &+ high.trailingZeroBitCount / 8 }
            position &+= 16
        }
        while position < bytes.count {
            let byte = bytes[position]
            if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            position &+= 1
        }
        return position
    }

    /// Eight bytes of text at a time: the top bit of a byte of the result is set where that byte of the word ends plain
    /// text.
    ///
    /// A difference sets the top bit of its byte where the byte was smaller, so each kind of stop takes one; bytes with a
    /// top bit of their own are stops anyway. A borrow may set bits wrongly above the first that is set, never below it,
    /// which is why only the first counts.
    @inline(__always)
    private static func stops(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let control = word &- ones &* 0x20
        let quote = (word ^ ones &* 0x22) &- ones
        let backslash = (word ^ ones &* 0x5C) &- ones
        return (word | control | quote | backslash) & (ones &* 0x80)
    }

    private mutating func scanEscape(_ bytes: Span<UInt8>) throws(JSONProblem) {
        let start = position
        position &+= 1
        guard let kind = peek(bytes) else { throw problem(.unexpectedEnd) }
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position &+= 1
        case UInt8(ascii: "u"):
            position &+= 1
            let unit = try scanHexadecimal(bytes)
            guard unit >= 0xD800, unit < 0xE000 else { return }
            let second = position
            guard unit < 0xDC00, bytes.count - second >= 2, bytes[second] == UInt8(ascii: "\\"),
                bytes[second + 1] == UInt8(ascii: "u")
            else { throw JSONProblem(offset: start, what: .loneSurrogate) }
            position &+= 2
            let low = try scanHexadecimal(bytes)
            guard low >= 0xDC00, low < 0xE000 else { throw JSONProblem(offset: start, what: .loneSurrogate) }
        default:
            throw JSONProblem(offset: start, what: .malformedEscape)
        }
    }

    private mutating func scanHexadecimal(_ bytes: Span<UInt8>) throws(JSONProblem) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek(bytes) else { throw problem(.unexpectedEnd) }
            guard let digit = JSONText.hexadecimalDigit(byte) else { throw problem(.malformedEscape) }
            value = value << 4 | digit
            position &+= 1
        }
        return value
    }

    /// Scans one UTF-8 sequence of two to four bytes, by the table of well-formed sequences (Unicode, table 3-7), which
    /// leaves out overlong forms, surrogates and what lies beyond U+10FFFF.
    private mutating func scanMultibyte(_ bytes: Span<UInt8>) throws(JSONProblem) {
        let first = bytes[position]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: throw problem(.malformedUTF8)
        }
        guard bytes.count &- position >= length, second.contains(bytes[position &+ 1]) else {
            throw problem(.malformedUTF8)
        }
        for index in 2..<max(length, 2) where bytes[position &+ index] & 0xC0 != 0x80 {
            throw problem(.malformedUTF8)
        }
        position &+= length
    }
}
