/// Encoding and decoding of JSON strings.
package enum JSONText {
    /// Returns the UTF-8 of a scanned string, which is between its quotation marks, without its
    /// escapes.
    package static func decoded(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        var position = range.lowerBound
        while position < range.upperBound, bytes[position] != UInt8(ascii: "\\") { position += 1 }
        var result = [UInt8](copying: bytes.extracting(range.lowerBound..<position))
        guard position < range.upperBound else { return result }
        result.reserveCapacity(range.count)
        while position < range.upperBound {
            let byte = bytes[position]
            guard byte == UInt8(ascii: "\\"), position + 1 < range.upperBound else {
                result.append(byte)
                position += 1
                continue
            }
            position += 2
            switch bytes[position - 1] {
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0C)
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "u"):
                var scalar = codeUnit(bytes, at: position)
                position += 4
                if scalar >= 0xD800, scalar < 0xDC00 {
                    scalar =
                        0x10000 + (scalar - 0xD800) << 10
                        + (codeUnit(bytes, at: position + 2) & 0x3FF)
                    position += 6
                }
                // The scanner accepts paired surrogates only, so the replacement character is never
                // used.
                result.append(contentsOf: String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
            case let literal: result.append(literal)
            }
        }
        return result
    }

    /// Returns `true` if a string is one number as JSON writes it, and nothing else.
    package static func isNumber(_ string: String) -> Bool {
        JSONScanner.isNumber(Array(string.utf8).span)
    }

    /// Returns a Boolean value that indicates whether a range of bytes is the UTF-8 of a string.
    static func isEqual(_ bytes: Span<UInt8>, _ range: Range<Int>, to string: String) -> Bool {
        guard range.count == string.utf8.count else { return false }
        var position = range.lowerBound
        for byte in string.utf8 {
            guard bytes[position] == byte else { return false }
            position += 1
        }
        return true
    }

    /// Returns the text without white space at its ends.
    package static func trimmed(_ bytes: Span<UInt8>) -> Range<Int> {
        var start = 0
        var end = bytes.count
        while start < end, isWhitespace(bytes[start]) { start += 1 }
        while end > start, isWhitespace(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    @inline(__always)
    static func isWhitespace(_ byte: UInt8) -> Bool {
        byte <= 0x20 && (byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09)
    }

    /// Returns the number of bytes that ``append(_:to:)`` writes for a string, quotation marks
    /// included.
    package static func length(_ string: some StringProtocol) -> Int {
        string.utf8.reduce(2) { $0 + (escape($1)?.utf8.count ?? 1) }
    }

    /// Returns the number of bytes of escapes that a document doesn't need, in its strings and
    /// names.
    package static func needlessEscapes(in document: JSONDocument, _ bytes: Span<UInt8>) -> Int {
        document.values.reduce(0) { excess, value in
            var excess = excess
            if value.kind == .string {
                excess += value.range.count - length(document.string(value, in: bytes) ?? "")
            }
            if let name = value.name, value.nameHasEscapes {
                excess += name.count + 2 - length(document.name(of: value, in: bytes))
            }
            return excess
        }
    }

    /// Appends a string with its quotation marks.
    package static func append(_ string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if string.utf8.contains(where: isEscaped) {
            for byte in string.utf8 {
                if let escape = escape(byte) { bytes += escape.utf8 } else { bytes.append(byte) }
            }
        } else {
            bytes += string.utf8
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Returns the escape that JSON requires for a byte: not for `/`, and for no character outside
    /// of ASCII.
    private static func escape(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "\""): "\\\""
        case UInt8(ascii: "\\"): "\\\\"
        case 0x20...: nil
        case 0x08: "\\b"
        case 0x09: "\\t"
        case 0x0A: "\\n"
        case 0x0C: "\\f"
        case 0x0D: "\\r"
        default: "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))"
        }
    }

    /// Returns the value of four hexadecimal digits that were scanned.
    private static func codeUnit(_ bytes: Span<UInt8>, at position: Int) -> UInt32 {
        let digits = [UInt8](copying: bytes.extracting(position..<min(position + 4, bytes.count)))
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
    }
}
