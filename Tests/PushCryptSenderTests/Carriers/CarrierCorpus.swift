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

    let requests: [Request]
    let limits: [Limit]

    static func load() throws -> CarrierCorpus {
        try VectorFile.load("carriers.json", minimum: ["requests": 233, "limits": 185], as: CarrierCorpus.self)
    }
}
