package import Foundation
internal import Testing

/// The corpus of accepted and refused JSON texts, for parsers in any language.
package struct JSONVectors: Decodable {
    package struct Accepted: Decodable, CustomTestStringConvertible, Sendable {
        package let name: String
        package let text: String?
        package let base64: Data?

        package var bytes: [UInt8] { base64.map(Array.init) ?? Array((text ?? "").utf8) }
        package var testDescription: String { name }
    }

    package struct Refused: Decodable, CustomTestStringConvertible, Sendable {
        package let name: String
        package let text: String?
        package let base64: Data?
        package let offset: Int
        package let problem: String

        package var bytes: [UInt8] { base64.map(Array.init) ?? Array((text ?? "").utf8) }
        package var testDescription: String { name }
    }

    package let accepted: [Accepted]
    package let refused: [Refused]

    /// The corpus, or an error if it is missing or incomplete.
    private static let loaded = Result {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
        let data = try Data(
            contentsOf: tests.appendingPathComponent("PushCryptCoreTests/JSON/Vectors/json.json"))
        let vectors = try JSONDecoder().decode(JSONVectors.self, from: data)
        try #require(vectors.accepted.count >= 50 && vectors.refused.count >= 200)
        return vectors
    }

    /// Returns the corpus.
    package static func load() throws -> JSONVectors { try loaded.get() }
}
