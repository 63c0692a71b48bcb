/// Finds its way in the arrays of scanned JSON.
package enum JSONArray {
    /// Where the elements of an array are.
    ///
    /// - Parameters:
    ///   - bytes: text that was scanned.
    ///   - range: the array in it, brackets included.
    /// - Returns: each element's place, without white space around it.
    package static func elements(of bytes: Span<UInt8>, _ range: Range<Int>) -> [Range<Int>] {
        var elements: [Range<Int>] = []
        var depth = 0
        var inString = false
        var start = range.lowerBound + 1
        var position = range.lowerBound
        while position < range.upperBound {
            let byte = bytes[position]
            if inString {
                if byte == UInt8(ascii: "\\") { position += 1 }
                inString = byte != UInt8(ascii: "\"")
            } else {
                switch byte {
                case UInt8(ascii: "\""): inString = true
                case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "}"): depth -= 1
                case UInt8(ascii: "]"), UInt8(ascii: ","):
                    if depth == 1 {
                        let element = withoutWhitespaceAround(bytes, start..<position)
                        if !element.isEmpty { elements.append(element) }
                        start = position + 1
                    }
                    if byte == UInt8(ascii: "]") { depth -= 1 }
                default: break
                }
            }
            position += 1
        }
        return elements
    }

    /// A part of a text without JSON's white space at its ends.
    package static func withoutWhitespaceAround(_ bytes: Span<UInt8>, _ range: Range<Int>? = nil) -> Range<Int> {
        var start = range?.lowerBound ?? 0
        var end = range?.upperBound ?? bytes.count
        while start < end, isWhitespace(bytes[start]) { start += 1 }
        while end > start, isWhitespace(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
