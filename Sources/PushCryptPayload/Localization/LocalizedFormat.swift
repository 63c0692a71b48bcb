/// A format of a string table, whose arguments come from `loc-args`.
///
/// `%@` is the next argument, `%1$@` the first, and `%%` is `%`. All other text stays, and so do
/// arguments.
package enum LocalizedFormat {
    /// Returns a format with its arguments.
    package static func text(_ format: String, arguments: [String]) -> String {
        let bytes = Array(format.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        forEachPiece(of: bytes) { argument, range in
            if let argument, argument < arguments.count {
                result += arguments[argument].utf8
            } else {
                result += bytes[range]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the number of arguments that a format needs.
    package static func neededArguments(_ format: String) -> Int {
        var count = 0
        forEachPiece(of: Array(format.utf8)) { argument, _ in
            if let argument { count = max(count, argument + 1) }
        }
        return count
    }

    /// Calls a function with each piece of a format: the index of an argument or `nil` for text,
    /// and the piece's range.
    ///
    /// Bytes, not characters: a combining mark after `%@` belongs to the character `@`.
    private static func forEachPiece(
        of bytes: [UInt8], _ body: (_ argument: Int?, _ range: Range<Int>) -> Void
    ) {
        let percent = UInt8(ascii: "%")
        var nextArgument = 0
        var position = 0
        while position < bytes.count {
            let start = position
            let rest = bytes[(start + 1)...]
            // A position has at most nine digits.
            let digits = rest.prefix(9).prefix { (0x30...0x39).contains($0) }
            if bytes[start] == percent, rest.first == percent {
                position += 2
                body(nil, (start + 1)..<position)
            } else if bytes[start] == percent, rest.first == UInt8(ascii: "@") {
                position += 2
                body(nextArgument, start..<position)
                nextArgument += 1
            } else if bytes[start] == percent, let first = digits.first, first != UInt8(ascii: "0"),
                bytes[digits.endIndex...].starts(with: "$@".utf8)
            {
                position = digits.endIndex + 2
                body(digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } - 1, start..<position)
            } else {
                position = rest.firstIndex(of: percent) ?? bytes.count
                body(nil, start..<position)
            }
        }
    }
}
