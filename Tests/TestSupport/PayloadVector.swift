internal import Foundation
internal import Testing

/// A payload of `Tests/Vectors/payloads`, as Apple or a push service documents it.
package struct PayloadVector: Decodable, CustomTestStringConvertible, Sendable {
    package let name: String
    package let file: String
    /// The value of `apns-push-type`.
    package let type: String

    package var testDescription: String { name }

    /// The directory of the payloads.
    private static let folder =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
        + "/Vectors/payloads/"

    package var json: [UInt8] {
        get throws {
            Array(try #require(FileManager.default.contents(atPath: Self.folder + file), "\(file)"))
        }
    }

    /// Returns all vectors.
    package static func load() throws -> [PayloadVector] {
        let vectors = try ["apple.json", "vendors.json", "other.json"].flatMap { index in
            let data = try #require(
                FileManager.default.contents(atPath: folder + index), "\(index)")
            return try JSONDecoder().decode([PayloadVector].self, from: data)
        }
        try #require(vectors.count >= 60 && Set(vectors.map(\.name)).count == vectors.count)
        return vectors
    }
}
