/// Takes out the white space between tokens and changes nothing else: no number is spelt anew, no escape resolved.
package enum JSONMinifier {
    /// The same JSON without white space between its tokens.
    ///
    /// - Parameters:
    ///   - bytes: text that was scanned.
    ///   - document: what the scan of it found.
    /// - Returns: the minified text.
    package static func minified(_ bytes: Span<UInt8>, _ document: JSONDocument) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count - document.whitespace)
        append(bytes, 0..<bytes.count, to: &result)
        return result
    }

    /// Appends a part of a scanned text, from the beginning to the end of a token, without white space between tokens.
    package static func append(_ bytes: Span<UInt8>, _ range: Range<Int>, to result: inout [UInt8]) {
        var inString = false
        var position = range.lowerBound
        while position < range.upperBound {
            let byte = bytes[position]
            position += 1
            if inString {
                result.append(byte)
                if byte == UInt8(ascii: "\\"), position < range.upperBound {
                    result.append(bytes[position])
                    position += 1
                } else if byte == UInt8(ascii: "\"") {
                    inString = false
                }
            } else if byte > 0x20 {
                result.append(byte)
                inString = byte == UInt8(ascii: "\"")
            }
        }
    }
}
