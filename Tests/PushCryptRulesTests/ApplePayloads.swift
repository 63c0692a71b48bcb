import Foundation
import PushCryptTesting
import Testing

/// Payloads from Apple's pages, in `Tests/Vectors/payloads`.
struct ApplePayload: CustomTestStringConvertible, Sendable {
    let name: String
    let type: PushType
    let json: [UInt8]

    var testDescription: String { name }

    private struct Entry: Decodable {
        let name, file, type: String
    }

    /// All of them; none where a file cannot be read, which `ApplePayloadTests` notices.
    static let all: [ApplePayload] = {
        let folder =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .path + "/Vectors/payloads/"
        func contents(_ file: String) -> Data? { FileManager.default.contents(atPath: folder + file) }
        guard let data = contents("apple.json"), let entries = try? JSONDecoder().decode([Entry].self, from: data)
        else { return [] }
        let payloads = entries.compactMap { entry -> ApplePayload? in
            guard let json = contents(entry.file), let type = PushType(rawValue: entry.type) else { return nil }
            return ApplePayload(name: entry.name, type: type, json: Array(json))
        }
        return payloads.count == entries.count ? payloads : []
    }()
}
