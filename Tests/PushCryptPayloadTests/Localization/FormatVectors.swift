import Foundation
import Testing

/// The formats in `Vectors/formats.json`.
struct FormatVectors: Decodable {
    struct Format: Decodable, CustomTestStringConvertible, Sendable {
        let name, format: String
        let arguments: [String]
        let text: String
        let needed: Int

        var testDescription: String { name }
    }

    let formats: [Format]

    /// Returns all formats, and fails if there are too few.
    static func all() throws -> [Format] {
        let file =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
            + "/Vectors/formats.json"
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        let formats = try JSONDecoder().decode(FormatVectors.self, from: data).formats
        try #require(formats.count >= 110 && Set(formats.map(\.name)).count == formats.count)
        return formats
    }
}
