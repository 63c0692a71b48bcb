import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The language-neutral vectors of stale answers, from another implementation
/// (`Tests/Vectors/generate.py`).
@Suite struct StaleAnswerVectorTests {
    @Test(
        "The shared vectors of stale answers are reproduced",
        arguments: try StaleAnswerCorpus.load().answers)
    func answer(_ vector: StaleAnswerCorpus.Answer) throws {
        let text = try DeviceKeyring(createdAt: TestClock().now).state
            .replacingOccurrences(
                of: #"{"generation":1,"#, with: #"{"generation":\#(vector.generation),"#)
        var ring = try DeviceKeyring(parsing: Array(text.utf8).span)
        try #require(ring.generation == vector.generation)
        do {
            let primary = ring.primary.key.publicKey
            try ring.followGeneration(vector.answer, at: TestClock().now, lifetime: 604_800)
            #expect(ring.generation == vector.next)
            #expect(
                ring.primary.key.publicKey == primary
                    && ring.pending.count == (vector.newKey == true ? 1 : 0))
        } catch {
            #expect(error.code.rawValue == vector.fails && ring.generation == vector.generation)
        }
    }
}

/// The answers of `Tests/Vectors/registrations.json`.
struct StaleAnswerCorpus: Decodable {
    struct Answer: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let generation: UInt64
        let answer: UInt64
        let next: UInt64?
        let newKey: Bool?
        let fails: String?

        enum CodingKeys: String, CodingKey {
            case name, generation, answer, next, fails
            case newKey = "new_key"
        }

        var testDescription: String { name }
    }

    let answers: [Answer]

    static func load() throws -> StaleAnswerCorpus {
        try VectorFile.load(
            "registrations.json",
            minimum: ["registrations": 78, "updates": 102, "answers": 15, "tokens": 15],
            as: StaleAnswerCorpus.self)
    }
}
