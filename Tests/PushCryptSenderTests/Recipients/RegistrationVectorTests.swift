import Foundation
import PushCryptSender
import TestSupport
import Testing

/// The language-neutral vectors of registrations, from another implementation
/// (`Tests/Vectors/generate.py`).
@Suite struct RegistrationVectorTests {
    @Test(
        "The shared vectors of registrations are reproduced",
        arguments: try RegistrationCorpus.load().registrations)
    func registration(_ vector: RegistrationCorpus.Text) throws {
        do {
            let registration = try Registration(parsing: vector.text)
            #expect(vector.fails == nil, "It is accepted.")
            #expect(
                registration.generation == vector.generation
                    && registration.lifetime == vector.lifetime)
            #expect(registration.signers?.kids == vector.signers)
            #expect(try Registration(parsing: registration.json) == registration)
        } catch {
            #expect(error.code.rawValue == vector.fails)
        }
    }

    @Test(
        "The shared vectors of updates are reproduced",
        arguments: try RegistrationCorpus.load().updates)
    func update(_ vector: RegistrationCorpus.Update) throws {
        let corpus = try RegistrationCorpus.load()
        // A row is read as it is, also with a generation that a first registration can't have.
        let stored = try vector.row.map {
            try JSONDecoder().decode(Recipient.self, from: Data($0.utf8))
        }
        let others = try vector.others.map {
            try JSONDecoder().decode(Recipient.self, from: Data($0.utf8))
        }
        do throws(PushCryptError) {
            let recipient = try Recipient(
                registration: Registration(parsing: vector.text), deviceToken: corpus.token,
                account: corpus.account,
                registered: Date(timeIntervalSince1970: corpus.now / 1000), replacing: stored,
                others: others)
            #expect(recipient == vector.stored && vector.fails == nil)
            #expect(throws: Never.self) {
                let row = try JSONEncoder().encode(recipient)
                #expect(try JSONDecoder().decode(Recipient.self, from: row) == recipient)
            }
        } catch {
            #expect(error.code.rawValue == vector.fails ?? "stale-generation", "\(error)")
            #expect(error.staleGeneration == vector.stale && vector.stored == nil)
        }
    }

    @Test(
        "The shared vectors of device tokens are reproduced",
        arguments: try RegistrationCorpus.load().tokens)
    func token(_ vector: RegistrationCorpus.Token) throws {
        let accepted = try #require(
            try RegistrationCorpus.load().registrations.first { $0.fails == nil })
        let registration = try Registration(parsing: accepted.text)
        do {
            let recipient = try Recipient(registration: registration, deviceToken: vector.token)
            #expect(recipient.deviceToken == vector.stored)
        } catch {
            #expect(error.code.rawValue == vector.fails)
        }
    }

    @Test("The corpus is complete") func theCorpusIsComplete() throws {
        let corpus = try RegistrationCorpus.load()
        #expect(corpus.registrations.count { $0.fails != nil } >= 65)
        #expect(corpus.updates.count { $0.stale != nil } >= 32)
        #expect(corpus.updates.count { $0.fails != nil } >= 10)
    }
}

/// `Tests/Vectors/registrations.json`.
struct RegistrationCorpus: Decodable {
    struct Text: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let generation: UInt64?
        let lifetime: TimeInterval?
        let signers: [String]?
        let fails: String?

        var testDescription: String { name }
    }

    struct Update: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let row: String?
        let others: [String]
        let text: String
        let stored: Recipient?
        let stale: UInt64?
        let fails: String?

        var testDescription: String { name }
    }

    struct Token: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let token: String
        let stored: String?
        let fails: String?

        var testDescription: String { name }
    }

    enum CodingKeys: String, CodingKey {
        case token, account, tokens, registrations, updates
        case now = "now_ms"
    }

    let token: String
    let account: String
    /// The server's time in milliseconds.
    let now: Double
    let tokens: [Token]
    let registrations: [Text]
    let updates: [Update]

    static func load() throws -> Self { try shared.get() }

    private static let shared = Result {
        try VectorFile.load(
            "registrations.json",
            minimum: ["registrations": 78, "updates": 102, "answers": 15, "tokens": 15],
            as: Self.self)
    }
}
