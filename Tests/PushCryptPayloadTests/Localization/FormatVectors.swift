import Foundation
import Testing

/// The corpus in `Vectors/formats.json`, for readers in any language.
struct FormatVectors: Decodable {
    struct Format: Decodable, CustomTestStringConvertible, Sendable {
        let name, format: String
        let arguments: [String]
        let text: String
        let needed: Int

        var testDescription: String { name }
    }

    let formats: [Format]

    /// All of them; none where the file cannot be read, which `LocalizedFormatTests` notices.
    static let all: [Format] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Vectors/formats.json"
        guard let data = FileManager.default.contents(atPath: file),
            let vectors = try? JSONDecoder().decode(FormatVectors.self, from: data)
        else { return [] }
        return vectors.formats
    }()
}
