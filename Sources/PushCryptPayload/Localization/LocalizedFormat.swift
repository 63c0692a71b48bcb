/// A format of a string table, whose arguments come from `loc-args`.
///
/// A format has three specifiers: `%@` is the next argument, `%1$@` is the first argument, and `%%` is `%`. All other text
/// stays unchanged, and so does a specifier without an argument. Arguments aren't formats: `%@` in an argument stays `%@`.
package enum LocalizedFormat {
    /// A part of a format that isn't text.
    private enum Specifier {
        case percentSign
        case nextArgument
        case argument(Int)
    }

    /// Returns a format with its arguments.
    package static func text(_ format: String, arguments: [String]) -> String {
        let bytes = Array(format.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var next = 0
        forEachPiece(of: bytes) { specifier, range in
            var argument: Int?
            switch specifier {
            case .percentSign:
                result.append(percent)
                return
            case .nextArgument:
                argument = next
                next += 1
            case .argument(let position):
                argument = position - 1
            case nil:
                break
            }
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
        var inTurn = 0
        var highest = 0
        forEachPiece(of: Array(format.utf8)) { specifier, _ in
            switch specifier {
            case .nextArgument: inTurn += 1
            case .argument(let position): highest = max(highest, position)
            case .percentSign, nil: break
            }
        }
        return max(inTurn, highest)
    }

    // MARK: Specifiers

    private static let percent = UInt8(ascii: "%")

    /// The maximum number of digits of a position.
    private static let maximumDigits = 9

    /// Calls a function with each specifier of a format, and with `nil` for text between them.
    ///
    /// Bytes, not characters: a combining mark after `%@` belongs to the character `@`.
    private static func forEachPiece(of bytes: [UInt8], _ body: (Specifier?, Range<Int>) -> Void) {
        var position = 0
        while position < bytes.count {
            let start = position
            if let found = specifier(in: bytes, at: start) {
                position = found.end
                body(found.specifier, start..<position)
            } else {
                position = bytes[(start + 1)...].firstIndex(of: percent) ?? bytes.count
                body(nil, start..<position)
            }
        }
    }

    private static func specifier(in bytes: [UInt8], at start: Int) -> (specifier: Specifier, end: Int)? {
        guard bytes.count - start >= 2, bytes[start] == percent else { return nil }
        switch bytes[start + 1] {
        case percent: return (.percentSign, start + 2)
        case UInt8(ascii: "@"): return (.nextArgument, start + 2)
        case UInt8(ascii: "1")...UInt8(ascii: "9"): break
        default: return nil
        }
        let digits = bytes[(start + 1)...].prefix(maximumDigits).prefix { (0x30...0x39).contains($0) }
        guard bytes[digits.endIndex...].starts(with: "$@".utf8) else { return nil }
        return (.argument(digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }), digits.endIndex + 2)
    }
}
