import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// `Tests/Vectors/sealing.json`.
struct SealingCorpus: Decodable {
    let keys: [String: [String: String]]
    let ephemeralSecrets: [String]
    let messageIDs: [String]
    let now: Int64
    let vectors: [SealingVector]

    private enum CodingKeys: String, CodingKey {
        case keys, vectors
        case ephemeralSecrets = "ephemeral_secrets"
        case messageIDs = "message_ids"
        case now = "now_ms"
    }

    static func load() throws -> SealingCorpus { try shared.get() }

    private static let shared = Result {
        try VectorFile.load("sealing.json", minimum: ["vectors": 493], as: SealingCorpus.self)
    }

    func jwk(_ name: String) throws -> [UInt8] {
        Array(try JSONEncoder().encode(#require(keys[name], "The corpus has no key \(name).")))
    }

    /// Returns the sealer of a vector.
    func sealer(for vector: SealingVector) throws -> Sealer {
        let authentication = try vector.sender.map {
            SenderAuthentication.signed(by: try SigningKey(jwk: jwk($0)))
        }
        var sealer = Sealer(
            authentication ?? .anonymous,
            time: TestClock(Date(timeIntervalSince1970: Double(vector.now ?? now) / 1000)))
        if let lifetime = vector.lifetime { sealer.lifetime = lifetime }
        if let padding = vector.padding {
            sealer.padding = try #require(Padding(rawValue: padding))
        }
        if let placeholder = vector.placeholder {
            sealer.placeholder = Self.placeholder(placeholder)
        }
        sealer.exposedKeys = Set(
            try (vector.expose ?? []).map { try #require(ExposedKey(rawValue: $0)) })
        return sealer
    }

    /// Returns the placeholder with the members of a vector.
    static func placeholder(_ members: [String: JSONValue]) -> Placeholder {
        func line(_ name: String, _ prefix: String) -> LocalizableText? {
            let arguments =
                members["\(prefix)loc-args"]?.arrayValue?.compactMap(\.stringValue) ?? []
            return members[name]?.stringValue.map { .text($0) }
                ?? members["\(prefix)loc-key"]?.stringValue.map {
                    .localized(key: $0, arguments: arguments)
                }
        }
        return Placeholder(
            title: line("title", "title-"), subtitle: line("subtitle", "subtitle-"),
            body: line("body", ""))
    }
}

/// A vector; `Tests/Vectors/README.md` describes its members.
struct SealingVector: Decodable, Sendable, CustomTestStringConvertible {
    struct Seals: Decodable {
        struct Message: Decodable {
            let kind: String
            let message: String
        }

        let messages: [Message]
        let payload: String
        let headers: [String: String]
    }

    let name: String
    let to: String
    let sender: String?
    let payload: String
    let type: String?
    /// The kind that the caller asks for.
    let kind: String?
    let lifetime: Double?
    let now: Int64?
    let padding: String?
    let placeholder: [String: JSONValue]?
    let expose: [String]?
    let topic: String?
    let collapseID: String?
    let priority: Int?
    let ephemeralSecrets: [String]?
    let messageIDs: [String]?
    let seals: Seals?
    let fails: String?
    let excess: Int?

    private enum CodingKeys: String, CodingKey {
        case name, to, sender, payload, type, kind, padding, placeholder, expose, topic, priority,
            seals, fails, excess
        case lifetime = "lifetime_s"
        case now = "now_ms"
        case collapseID = "collapse_id"
        case ephemeralSecrets = "ephemeral_secrets"
        case messageIDs = "message_ids"
    }

    var testDescription: String { name }

    var headers: APNsHeaders {
        get throws {
            let type = try #require(PushType(rawValue: type ?? "alert"))
            let priority = try priority.map { try #require(APNsHeaders.Priority(rawValue: $0)) }
            return APNsHeaders(type, priority: priority, collapseID: collapseID, topic: topic)
        }
    }
}
