// Strings: plain ASCII in vectors, escapes and UTF-8 byte by byte.
extension JSONScanner {
    /// Scans a string with its quotation marks, and returns a Boolean value that indicates whether
    /// it has escapes.
    mutating func scanString() throws(JSONProblem) -> Bool {
        var hasEscapes = false
        position &+= 1
        while true {
            position = Self.endOfPlainText(bytes, from: position)
            while byte >= 0x80 { try scanMultibyte() }
            switch byte {
            case UInt8(ascii: "\""):
                position &+= 1
                return hasEscapes
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try scanEscape()
            case ..<0x20:
                throw problem(.controlCharacter)
            default:
                continue
            }
        }
    }

    /// Returns the first offset that isn't plain ASCII text: a quotation mark, a backslash, a
    /// control character, a byte of a longer UTF-8 sequence, or the end.
    @inline(__always)
    static func endOfPlainText(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var position = start
        while bytes.count &- position >= 32 {
            let low = stops(bytes.vector(at: position))
            let high = stops(bytes.vector(at: position &+ 16))
            guard (low .| high).isEmpty else {
                return position &+ (low.isEmpty ? 16 &+ high.firstIndex : low.firstIndex)
            }
            position &+= 32
        }
        while position < bytes.count {
            let byte = bytes[position]
            if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"")
                || byte == UInt8(ascii: "\\")
            {
                break
            }
            position &+= 1
        }
        return position
    }

    /// Marks the bytes that end plain text; the bytes of longer UTF-8 sequences are negative.
    @inline(__always)
    private static func stops(_ text: SIMD16<Int8>) -> SIMDMask<SIMD16<Int8>> {
        (text .< SIMD16<Int8>(repeating: 0x20)) .| (text .== SIMD16<Int8>(repeating: 0x22))
            .| (text .== SIMD16<Int8>(repeating: 0x5C))
    }

    private mutating func scanEscape() throws(JSONProblem) {
        let start = position
        position &+= 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position &+= 1
        case UInt8(ascii: "u"):
            position &+= 1
            let unit = try scanHexadecimal()
            guard unit >= 0xD800, unit < 0xE000 else { return }
            guard unit < 0xDC00, bytes.count - position >= 2, byte == UInt8(ascii: "\\"),
                bytes[position + 1] == UInt8(ascii: "u")
            else { throw JSONProblem(offset: start, what: .loneSurrogate) }
            position &+= 2
            let low = try scanHexadecimal()
            guard low >= 0xDC00, low < 0xE000 else {
                throw JSONProblem(offset: start, what: .loneSurrogate)
            }
        default:
            guard position < bytes.count else { throw problem(.unexpectedEnd) }
            throw JSONProblem(offset: start, what: .malformedEscape)
        }
    }

    private mutating func scanHexadecimal() throws(JSONProblem) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                value = value << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                value = value << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"):
                value = value << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
            default: throw problem(.malformedEscape)
            }
            position &+= 1
        }
        return value
    }

    /// Scans one UTF-8 sequence of two to four bytes, not overlong and not a surrogate (Unicode,
    /// table 3-7).
    private mutating func scanMultibyte() throws(JSONProblem) {
        let first = bytes[position]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0:
            length = 3
            second = 0xA0...0xBF
        case 0xED:
            length = 3
            second = 0x80...0x9F
        case 0xE1...0xEF: length = 3
        case 0xF0:
            length = 4
            second = 0x90...0xBF
        case 0xF1...0xF3: length = 4
        case 0xF4:
            length = 4
            second = 0x80...0x8F
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
