import Foundation
import Testing

/// The corpus in `Vectors/json.json`, for readers in any language.
struct JSONVectors: Decodable {
    struct Accepted: Decodable, CustomTestStringConvertible, Sendable {
        let name: String
        let text: String?, base64: Data?

        var bytes: [UInt8] { base64.map(Array.init) ?? Array((text ?? "").utf8) }
        var testDescription: String { name }
    }

    struct Refused: Decodable, CustomTestStringConvertible, Sendable {
        let name: String
        let text: String?, base64: Data?
        let offset: Int
        let problem: String

        var bytes: [UInt8] { base64.map(Array.init) ?? Array((text ?? "").utf8) }
        var testDescription: String { name }
    }

    let accepted: [Accepted]
    let refused: [Refused]

    /// All of them; none where the file cannot be read, which `JSONCorpusTests` notices.
    static let all: JSONVectors = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Vectors/json.json"
        guard let data = FileManager.default.contents(atPath: file),
            let vectors = try? JSONDecoder().decode(JSONVectors.self, from: data)
        else { return JSONVectors(accepted: [], refused: []) }
        return vectors
    }()
}
