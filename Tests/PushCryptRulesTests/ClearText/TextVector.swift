import Foundation
import Testing

/// The texts in `Vectors/texts.json`, each with what it holds.
struct TextVector: Decodable, CustomTestStringConvertible, Sendable {
    let text: String
    let kinds: [String]

    var testDescription: String { text }

    /// All of them; none where the file cannot be read, which `SensitiveTextTests` notices.
    static let all: [TextVector] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Vectors/texts.json"
        guard let data = FileManager.default.contents(atPath: file) else { return [] }
        return (try? JSONDecoder().decode([TextVector].self, from: data)) ?? []
    }()
}
