import Foundation
import PushCryptCore
import PushCryptKeyring
import TestSupport
import Testing

@testable import PushCryptSender

/// The language-neutral vectors of proofs, from another implementation (`Tests/Vectors/generate.py`).
@Suite struct ChallengeVectorTests {
    @Test("The shared vectors of challenges are reproduced", arguments: try ChallengeCorpus.load().challenges)
    func challenge(_ vector: ChallengeCorpus.Challenge) throws {
        let request = RegistrationRequest(
            registration: vector.registration, deviceToken: vector.token,
            carrier: try #require(Carrier(rawValue: vector.carrier)))
        let secrets = try ChallengeSecrets(parsing: vector.secret)
        let inputs = try ProofComputation.Inputs(
            request, account: vector.account, topic: vector.topic, expiry: vector.expires)
        let nonce = try ProofComputation.nonce(for: inputs, secret: secrets.current)
        #expect(Base64URL.encode(nonce) == vector.nonce)
        let content = try ChallengeContent(parsing: Array(vector.payload.utf8))
        #expect(content == ChallengeContent(nonce: nonce, expiry: vector.expires))
        let proof = try ProofComputation.proof(
            nonce: nonce, digest: inputs.digest, token: inputs.token, account: vector.account)
        #expect(Base64URL.encode(proof) == vector.proof)
    }

    @Test("The shared vectors of a device's proofs are reproduced", arguments: try ChallengeCorpus.load().payloads)
    func payload(_ vector: ChallengeCorpus.Payload) throws {
        do throws(PushCryptError) {
            let content = try ChallengeContent(parsing: Array(vector.payload.utf8))
            let proof = try ProofComputation.proof(
                nonce: content.nonce, digest: ProofComputation.digest(of: vector.registration ?? ""),
                token: Carrier.apns.stored(vector.token ?? ""), account: vector.account ?? "")
            #expect(vector.fails == nil, "It is accepted.")
            #expect(content.expiry == vector.expires && Base64URL.encode(proof) == vector.proof)
        } catch {
            #expect(error.code.rawValue == vector.fails)
        }
    }

    @Test("The shared vectors of answers are reproduced", arguments: try ChallengeCorpus.load().answers)
    func answer(_ vector: ChallengeCorpus.Answer) throws {
        let proofs = ProofOfPossession(
            topic: vector.topic, secrets: try ChallengeSecrets(parsing: vector.secrets.joined(separator: "\n")),
            start: .distantPast)
        // The request has the token beside the answer.
        let place = #""token":"\#(vector.token)","carrier":"\#(vector.carrier)""#
        let body = vector.answer.replacingOccurrences(
            of: #"^\{(?="(registration|expires|proof|token)")"#, with: "{" + place + ",", options: .regularExpression
        ).replacingOccurrences(of: #","token":"\#(vector.token)","id":7}"#, with: #","id":7}"#)
        do throws(PushCryptError) {
            let request = try RegistrationRequest(parsing: body)
            guard request.proof != nil else { throw PushCryptError(.malformedRegistration, "The proof is missing.") }
            let now = Date(timeIntervalSince1970: vector.now)
            guard case .accepted(let recipient) = try proofs.decide(request, account: vector.account, at: now) else {
                Issue.record("The server answers a proof with a challenge.")
                return
            }
            #expect(vector.fails == nil, "It is accepted.")
            #expect(recipient.registration.generation == vector.generation && recipient.key.kid == vector.kid)
            #expect(recipient.proved == now && recipient.carrier.rawValue == vector.carrier)
        } catch {
            #expect(error.code.rawValue == vector.fails)
        }
    }

    @Test("The shared vectors of rows with proofs are reproduced", arguments: try ChallengeCorpus.load().rows)
    func row(_ vector: ChallengeCorpus.Row) throws {
        let corpus = try RegistrationCorpus.load()
        let now = Date(timeIntervalSince1970: corpus.now / 1000)
        let secrets = try ChallengeSecrets(parsing: String(repeating: "A", count: 43))
        let proofs = ProofOfPossession(topic: "com.example.app", secrets: secrets, start: .distantPast)
        var request = RegistrationRequest(registration: vector.text, deviceToken: corpus.token)
        if vector.hasProof {
            let inputs = try ProofComputation.Inputs(
                request, account: corpus.account, topic: "com.example.app", expiry: 1 << 40)
            let nonce = try ProofComputation.nonce(for: inputs, secret: secrets.current)
            let proof = try ProofComputation.proof(
                nonce: nonce, digest: inputs.digest, token: inputs.token, account: corpus.account)
            request = RegistrationRequest(
                registration: vector.text, deviceToken: corpus.token,
                proof: RegistrationProof(expiry: 1 << 40, bytes: proof))
        }
        let stored = try vector.row.map { try JSONDecoder().decode(Recipient.self, from: Data($0.utf8)) }
        do throws(PushCryptError) {
            switch try proofs.decide(request, account: corpus.account, replacing: stored, at: now) {
            case .accepted(let recipient): #expect(recipient == vector.stored)
            case .challenged: #expect(vector.challenged == true)
            }
        } catch {
            #expect(error.staleGeneration != nil && error.staleGeneration == vector.stale)
        }
    }

    @Test("The shared vectors of refusals are reproduced", arguments: try ChallengeCorpus.load().refusals)
    func refusal(_ vector: ChallengeCorpus.Refusal) throws {
        let recipient = try JSONDecoder().decode(Recipient.self, from: Data(vector.row.utf8))
        let requirement = ProofRequirement.required(since: Date(timeIntervalSince1970: vector.start / 1000))
        let code = errorCode {
            try requirement.check(recipient, at: Date(timeIntervalSince1970: vector.now / 1000))
        }
        #expect(code?.rawValue == vector.fails)
    }

    @Test("The corpus is complete") func theCorpusIsComplete() throws {
        let corpus = try ChallengeCorpus.load()
        #expect(corpus.answers.count { $0.fails != nil } >= 88)
        #expect(corpus.payloads.count { $0.fails != nil } >= 27)
    }
}

/// `Tests/Vectors/challenges.json`.
struct ChallengeCorpus: Decodable {
    struct Challenge: Decodable, Sendable, CustomTestStringConvertible {
        let name, secret, topic, carrier, account, token, registration, nonce, payload, proof: String
        let expires: UInt64

        var testDescription: String { name }
    }

    struct Payload: Decodable, Sendable, CustomTestStringConvertible {
        let name, payload: String
        let registration, token, account, proof, fails: String?
        let expires: UInt64?

        var testDescription: String { name }
    }

    struct Answer: Decodable, Sendable, CustomTestStringConvertible {
        let name, answer, topic, carrier, account, token: String
        let secrets: [String]
        let now: TimeInterval
        let generation: UInt64?
        let kid, fails: String?

        var testDescription: String { name }
    }

    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        enum CodingKeys: String, CodingKey {
            case name, row, text, stored, challenged, stale
            case hasProof = "has_proof"
        }

        let name, text: String
        let row: String?
        let hasProof: Bool
        let stored: Recipient?
        let challenged: Bool?
        let stale: UInt64?

        var testDescription: String { name }
    }

    struct Refusal: Decodable, Sendable, CustomTestStringConvertible {
        let name, row: String
        let start, now: Double
        let fails: String?

        var testDescription: String { name }
    }

    let challenges: [Challenge]
    let payloads: [Payload]
    let answers: [Answer]
    let rows: [Row]
    let refusals: [Refusal]

    static func load() throws -> Self {
        try VectorFile.load(
            "challenges.json",
            minimum: ["challenges": 23, "payloads": 38, "answers": 101, "rows": 30, "refusals": 9], as: Self.self)
    }
}
