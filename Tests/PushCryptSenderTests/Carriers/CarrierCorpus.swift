import Foundation
import PushCryptSender
import TestSupport
import Testing

/// `Tests/Vectors/carriers.json`; `Tests/Vectors/README.md` describes its members.
struct CarrierCorpus: Decodable {
    struct Request: Decodable, Sendable, CustomTestStringConvertible {
        enum CodingKeys: String, CodingKey {
            case name, carrier, payload, token, body, headers, fails
            case apnsHeaders = "apns_headers"
            case issuedAt = "issued_at_ms"
            case appID = "app_id"
        }

        let name, carrier, payload, token: String
        let apnsHeaders: [String: String]
        let issuedAt: UInt64
        let appID, body, fails: String?
        let headers: [String: String]?

        var testDescription: String { name }
    }

    struct Limit: Decodable, Sendable, CustomTestStringConvertible {
        let name, carrier, type: String
        let frame: Int
        let longest: Int?
        let fails: String?

        var testDescription: String { name }
    }

    struct Push: Decodable, Sendable, CustomTestStringConvertible {
        enum CodingKeys: String, CodingKey {
            case name, carrier, type, payload, placeholder, expose, row, readable, length, fails
            case collapseID = "collapse_id"
            case proofsSince = "proofs_since_ms"
        }

        let name, carrier, type, payload: String
        let placeholder: [String: JSONValue]
        let expose: [String]
        let collapseID, row, readable, fails: String?
        let proofsSince: Double?
        let length: Int?

        var testDescription: String { name }
    }

    enum CodingKeys: String, CodingKey {
        case requests, limits, pushes, recipient
        case now = "now_ms"
    }

    let requests: [Request]
    let limits: [Limit]
    let pushes: [Push]
    /// The text of the registration that pushes without a row are for.
    let recipient: String
    /// The sender's time of the pushes, in milliseconds.
    let now: Double

    static func load() throws -> CarrierCorpus {
        try VectorFile.load(
            "carriers.json", minimum: ["requests": 150, "limits": 125, "pushes": 231],
            as: CarrierCorpus.self)
    }
}
