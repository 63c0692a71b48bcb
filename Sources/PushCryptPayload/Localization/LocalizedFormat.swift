/// Fills the arguments of a payload into a localised string, as the system does with `loc-args`.
///
/// Three things mean something in a format: `%@` takes the next argument, `%1$@` the one at that place, counted from one,
/// and `%%` is `%`. `%@` counts by itself, from the first argument, whatever places are named in between. Everything else
/// stays as it is spelt, and so does what asks for an argument that is not there. Nothing reads memory, pads or counts as
/// it would in `printf`: a bad translation may look bad, and that is all it can do.
///
/// Arguments come from a sender, so they are never looked into: the text `%@` in one stays `%@`.
///
/// The format is read byte by byte, not by characters: of `%@` and a combining mark Swift makes one character of `@` and
/// mark, which would hide the `@`. The mark ends up on the last character of the argument.
///
/// There is no limit to the result. It is as long as the format makes it, which comes from the app's own table; a sender
/// adds no more than its arguments, and those once for each time that the app's format asks for them.
package enum LocalizedFormat {
    /// Something in a format that is not text.
    private enum Specifier {
        case percentSign
        case nextArgument
        case argument(Int)
    }

    /// Fills a format.
    ///
    /// - Parameters:
    ///   - format: the localised string.
    ///   - arguments: what to fill in.
    /// - Returns: the text to show.
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

    /// How many arguments a format needs.
    ///
    /// - Parameter format: the localised string.
    /// - Returns: the highest place that is named, or the number of `%@`, whichever is larger.
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

    // MARK: Reading

    private static let percent = UInt8(ascii: "%")

    /// More digits name no argument that any payload has room for, and nine fit every `Int`.
    private static let maximumDigits = 9

    /// Goes through a format from its beginning to its end; pieces without a specifier are text.
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
