/// Strings as JSON spells them, both ways.
package enum JSONText {
    /// The UTF-8 of a string that ``JSONScanner`` has passed, with its escapes resolved.
    ///
    /// - Parameters:
    ///   - bytes: the text that was scanned.
    ///   - range: the string in it, without the quotation marks.
    /// - Returns: the text in UTF-8.
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
                    scalar = 0x10000 + (scalar - 0xD800) << 10 + (codeUnit(bytes, at: position + 2) & 0x3FF)
                    position += 6
                }
                // Surrogates are paired by now, so every value is a scalar; the replacement character is for the
                // compiler's eyes.
                result.append(contentsOf: String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
            case let literal: result.append(literal)
            }
        }
        return result
    }

    /// Where a scanned string that begins at a place ends: behind its closing quotation mark.
    package static func end(of bytes: Span<UInt8>, from start: Int) -> Int {
        var position = start + 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""): return position + 1
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        return bytes.count
    }

    /// How many bytes a string takes as ``append(_:to:)`` writes it, quotation marks included.
    package static func length(_ string: some StringProtocol) -> Int {
        string.utf8.reduce(2) { $0 + escapedLength($1) }
    }

    private static func escapedLength(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: 2
        case 0..<0x20: 6
        default: 1
        }
    }

    /// Appends a string with its quotation marks, with no more escapes than JSON needs: none for `/`, none for text that
    /// is not ASCII.
    package static func append(_ string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x08: bytes += "\\b".utf8
            case 0x09: bytes += "\\t".utf8
            case 0x0A: bytes += "\\n".utf8
            case 0x0C: bytes += "\\f".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0..<0x20: bytes += "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// The value of one hexadecimal digit.
    package static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    private static func codeUnit(_ bytes: Span<UInt8>, at position: Int) -> UInt32 {
        var value: UInt32 = 0
        for index in position..<(position + 4) where index < bytes.count {
            value = value << 4 | (hexadecimalDigit(bytes[index]) ?? 0)
        }
        return value
    }
}
