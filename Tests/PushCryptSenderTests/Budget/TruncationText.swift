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

    /// All of them; none where the file cannot be read, which `TruncationTests` notices.
    static let all: [TruncationText] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Vectors/texts.json"
        guard let data = FileManager.default.contents(atPath: file) else { return [] }
        return (try? JSONDecoder().decode([TruncationText].self, from: data)) ?? []
    }()

    /// What may become of the text, spelt as JSON spells it with the fewest bytes: the whole, and then its beginnings with
    /// an ellipsis, the longest first.
    func forms() throws -> [(spelling: [UInt8], kept: Int)] {
        let beginnings = characters.indices.reversed().map { (characters[..<$0].joined() + "\u{2026}", $0) }
        return try ([(text, characters.count)] + beginnings).map { (try shortestSpelling(of: $0.0), $0.1) }
    }
}

/// Returns a string as the shortest JSON, by Foundation and so independent of the tested code.
func shortestSpelling(of text: String) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return Array(try encoder.encode(text))
}
