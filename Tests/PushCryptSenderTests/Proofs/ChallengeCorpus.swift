import Foundation
import PushCryptSender
import TestSupport
import Testing

/// `Tests/Vectors/challenges.json`; `Tests/Vectors/README.md` describes its members.
struct ChallengeCorpus: Decodable {
    struct Challenge: Decodable, Sendable, CustomTestStringConvertible {
        let name, secret, topic, carrier, account, token, registration, nonce, payload,
            visible: String
        let expires: UInt64

        var testDescription: String { name }
    }

    struct Proof: Decodable, Sendable, CustomTestStringConvertible {
        let name, payload, registration, token, carrier, account: String
        let proof, fails: String?
        let expires: UInt64?

        var testDescription: String { name }
    }

    struct Answer: Decodable, Sendable, CustomTestStringConvertible {
        enum CodingKeys: String, CodingKey {
            case name, body, topic, carrier, account, token, secrets, generation, kid, fails
            case now = "now_ms"
        }

        let name, body, topic, carrier, account, token: String
        let secrets: [String]
        let now: Double
        let generation: UInt64?
        let kid, fails: String?

        var testDescription: String { name }
    }

    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let name, text, token, account, carrier: String
        let row: String?
        let others: [String]
        let proofs, proved: Bool
        let stored: Recipient?
        let challenge: Bool?
        let stale: UInt64?

        var testDescription: String { name }
    }

    struct Refusal: Decodable, Sendable, CustomTestStringConvertible {
        enum CodingKeys: String, CodingKey {
            case name, row, kind, fails
            case start = "proofs_since_ms"
            case now = "now_ms"
        }

        let name, row: String
        let start: Double?
        let now: Double
        let kind, fails: String?

        var testDescription: String { name }
    }

    enum CodingKeys: String, CodingKey {
        case challenges, proofs, answers, rows, refusals
        case now = "now_ms"
    }

    /// The server's time of the rows, in milliseconds.
    let now: Double
    let challenges: [Challenge]
    let proofs: [Proof]
    let answers: [Answer]
    let rows: [Row]
    let refusals: [Refusal]

    static func load() throws -> Self { try shared.get() }

    private static let shared = Result {
        try VectorFile.load(
            "challenges.json",
            minimum: [
                "challenges": 67, "proofs": 155, "answers": 279, "rows": 140, "refusals": 58,
            ], as: Self.self)
    }
}
