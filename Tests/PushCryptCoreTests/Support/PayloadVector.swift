import Foundation
import Testing

/// A payload of `Tests/Vectors/payloads`, as Apple or a push service documents it.
struct PayloadVector: Decodable, CustomTestStringConvertible, Sendable {
    let name: String
    let file: String
    /// The value of `apns-push-type`.
    let type: String

    var testDescription: String { name }

    /// The folder of this file is two below that of all tests.
    private static let folder =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path + "/Vectors/payloads/"

    var json: [UInt8] {
        get throws { Array(try #require(FileManager.default.contents(atPath: Self.folder + file), "\(file)")) }
    }

    /// All of them.
    static func load() throws -> [PayloadVector] {
        let vectors = try ["apple.json", "vendors.json", "other.json"].flatMap { index in
            let data = try #require(FileManager.default.contents(atPath: folder + index), "\(index)")
            return try JSONDecoder().decode([PayloadVector].self, from: data)
        }
        try #require(vectors.count >= 60 && Set(vectors.map(\.name)).count == vectors.count)
        return vectors
    }
}
