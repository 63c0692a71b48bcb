import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptPayload

@Suite struct LocalizedFormatTests {
    @Test("Arguments replace the specifiers of a format", arguments: try FormatVectors.all())
    func text(_ vector: FormatVectors.Format) {
        // Strings with other bytes can be equal.
        let text = LocalizedFormat.text(vector.format, arguments: vector.arguments)
        #expect(Array(text.utf8) == Array(vector.text.utf8))
    }

    @Test("A format needs a number of arguments", arguments: try FormatVectors.all())
    func neededArguments(_ vector: FormatVectors.Format) {
        #expect(LocalizedFormat.neededArguments(vector.format) == vector.needed)
    }

    /// Returns the text and the number of arguments by a regular expression.
    private func reference(_ format: String, _ arguments: [String]) -> (text: String, needed: Int) {
        var next = 0
        var highest = 0
        let specifier = /%(?:%|@|([1-9][0-9]{0,8})\$@)/.matchingSemantics(.unicodeScalar)
        let text =
            format.unicodeScalars.isEmpty
            ? ""
            : format.replacing(specifier) { match in
                if match.0.utf8.elementsEqual("%%".utf8) { return "%" }
                var index = next
                if let place = match.1 {
                    index = (Int(String(place)) ?? 0) - 1
                    highest = max(highest, index + 1)
                } else {
                    next += 1
                }
                return index < arguments.count ? arguments[index] : String(match.0)
            }
        return (text, max(next, highest))
    }

    @Test("A regular expression gives the same text")
    func reference() {
        let pieces = [
            "%", "@", "$", "1", "2", "9", "0", "%@", "%1$@", "%2$@", "%%", "%12$@", "x", "é",
            "\u{301}", "👋", "s",
            "\r\n",
        ]
        let arguments = ["A", "%@", "", "é\u{301}", "$@", "%"]
        var random = SeededRandom(seed: 0xF0E)
        for _ in 0..<LongRun.count(500, full: 5_000) {
            let format = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            let some = Array(arguments.prefix(Int.random(in: 0...6, using: &random)))
            let expected = reference(format, some)
            #expect(
                Array(LocalizedFormat.text(format, arguments: some).utf8)
                    == Array(expected.text.utf8),
                "\(format.unicodeScalars.map(\.value)) with \(some.count)")
            #expect(
                LocalizedFormat.neededArguments(format) == expected.needed,
                "\(format.unicodeScalars.map(\.value))")
        }
    }

    @Test(
        "Formatting takes linear time",
        arguments: ["%", "%1", "%1$", "%123456789", "%@", "%%", "%1$@", "@\u{301}", "x"])
    func linearTime(_ piece: String) {
        expectLinearTime(LongRun.count(300, full: 20_000)) { count in
            let format = String(repeating: piece, count: count)
            let text = LocalizedFormat.text(format, arguments: [])
            #expect(
                text.utf8.count == (piece == "%" || piece == "%%" ? 1 : piece.utf8.count) * count
                    / (piece == "%" ? 2 : 1))
            #expect(
                LocalizedFormat.neededArguments(format)
                    == (piece == "%@" ? count : piece == "%1$@" ? 1 : 0))
        }
    }
}
