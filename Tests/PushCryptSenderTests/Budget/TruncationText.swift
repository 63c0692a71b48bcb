import Foundation
import Testing

/// A text of `Vectors/texts.json` with its characters as a reader sees them (UAX #29).
struct TruncationText: Decodable, CustomTestStringConvertible, Sendable {
    let name: String
    let characters: [String]

    var text: String { characters.joined() }
    var testDescription: String { name }

    /// The text with each of its UTF-16 code units as an escape, which is more than JSON needs.
    var escaped: String {
        text.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    /// Returns all texts, and fails if there are too few.
    static func all() throws -> [TruncationText] {
        let file =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Vectors/texts.json"
        let texts = try JSONDecoder().decode(
            [TruncationText].self, from: Data(contentsOf: URL(fileURLWithPath: file)))
        try #require(texts.count >= 70 && Set(texts.map(\.name)).count == texts.count)
        return texts
    }

    /// Returns the text and its beginnings with an ellipsis, the longest first, as the shortest
    /// JSON.
    func forms() throws -> [(spelling: [UInt8], kept: Int)] {
        let beginnings = characters.indices.reversed().map {
            (characters[..<$0].joined() + "\u{2026}", $0)
        }
        return try ([(text, characters.count)] + beginnings).map {
            (try shortestSpelling(of: $0.0), $0.1)
        }
    }
}

/// Returns a string as the shortest JSON, with Foundation instead of the tested code.
func shortestSpelling(of text: String) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return Array(try encoder.encode(text))
}
