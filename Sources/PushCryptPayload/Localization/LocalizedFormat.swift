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
        (usedArguments(format).max() ?? -1) + 1
    }

    /// Returns the indices of the arguments that a format displays.
    package static func usedArguments(_ format: String) -> Set<Int> {
        var arguments: Set<Int> = []
        forEachPiece(of: Array(format.utf8)) { argument, _ in
            if let argument { arguments.insert(argument) }
        }
        return arguments
    }

    /// Returns the first conversion that is for another argument than a string, such as `%d`, or
    /// the plural `%#@count@`; `nil` if there is none.
    package static func otherConversion(_ format: String) -> String? {
        let bytes = Array(format.utf8)
        var found: Range<Int>?
        forEachPiece(of: bytes) { argument, range in
            guard found == nil, argument == nil else { return }
            found = otherConversion(in: bytes[range])
        }
        return found.map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    /// Returns the range of a conversion at the start of a piece
    /// (https://pubs.opengroup.org/onlinepubs/9799919799/functions/printf.html, and Apple's).
    private static func otherConversion(in piece: ArraySlice<UInt8>) -> Range<Int>? {
        guard piece.count > 1, piece.first == UInt8(ascii: "%") else { return nil }
        var rest = piece.dropFirst()
        func skip(_ characters: String) {
            rest = rest.drop { characters.utf8.contains($0) }
        }
        if rest.starts(with: "arg".utf8) { return piece.startIndex..<(rest.startIndex + 3) }
        if let end = rest.dropFirst(2).firstIndex(of: UInt8(ascii: "@")),
            rest.starts(with: "#@".utf8)
        {
            return piece.startIndex..<(end + 1)
        }
        skip("0123456789$")
        // A blank is a flag, too, but far more often the end of a word.
        skip("-+#0'")
        skip("0123456789*.")
        skip("hlLqztj")
        guard let conversion = rest.first, "diouxXeEfFgGaAcCsSpnDUO".utf8.contains(conversion)
        else { return nil }
        return piece.startIndex..<(rest.startIndex + 1)
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
