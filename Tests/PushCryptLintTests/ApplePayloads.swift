import Foundation
import PushCryptTesting
import Testing

@testable import PushCryptLint

/// Payloads from Apple's pages, in `Tests/Vectors/payloads`.
struct ApplePayload: CustomTestStringConvertible, Sendable {
    let name: String
    let type: PushType
    let json: [UInt8]

    var testDescription: String { name }

    private struct Entry: Decodable {
        let name, file, type: String
    }

    /// Returns all payloads, and fails if there are too few.
    static func all() throws -> [ApplePayload] {
        let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
            .appendingPathComponent("Vectors/payloads")
        func contents(_ file: String) throws -> Data {
            try Data(contentsOf: directory.appendingPathComponent(file))
        }
        let entries = try JSONDecoder().decode([Entry].self, from: contents("apple.json"))
        try #require(entries.count >= 43)
        return try entries.map { entry in
            let type = try #require(PushType(rawValue: entry.type))
            return ApplePayload(name: entry.name, type: type, json: Array(try contents(entry.file)))
        }
    }
}
