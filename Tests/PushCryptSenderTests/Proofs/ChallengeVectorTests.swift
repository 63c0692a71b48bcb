import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptSender

/// The language-neutral vectors of proofs, from another implementation
/// (`Tests/Vectors/generate.py`).
@Suite struct ChallengeVectorTests {
    @Test(
        "The shared vectors of challenges are reproduced",
        arguments: try ChallengeCorpus.load().challenges)
    func challenge(_ vector: ChallengeCorpus.Challenge) throws {
        let request = RegistrationRequest(
            registration: vector.registration, deviceToken: vector.token,
            carrier: Carrier(rawValue: vector.carrier))
        let inputs = try ProofComputation.Inputs(
            request, account: vector.account, topic: vector.topic, expiry: vector.expires)
        let nonce = try ProofComputation.nonce(
            for: inputs, secret: try ChallengeSecrets(parsing: vector.secret).current)
        #expect(Base64URL.encode(nonce) == vector.nonce)
        for payload in [vector.payload, vector.visible] {
            let content = try ChallengeContent(parsing: Array(payload.utf8))
            #expect(content == ChallengeContent(nonce: nonce, expiry: vector.expires))
        }
    }

    @Test(
        "The shared vectors of a device's proofs are reproduced",
        arguments: try ChallengeCorpus.load().proofs)
    func proof(_ vector: ChallengeCorpus.Proof) throws {
        let carrier = Carrier(rawValue: vector.carrier)
        do throws(PushCryptError) {
            let content = try ChallengeContent(parsing: Array(vector.payload.utf8))
            let proof = try ProofComputation.proof(
                nonce: content.nonce, digest: ProofComputation.digest(of: vector.registration),
                token: carrier.stored(vector.token), account: vector.account)
            #expect(vector.fails == nil, "It is accepted.")
            #expect(content.expiry == vector.expires && Base64URL.encode(proof) == vector.proof)
        } catch {
            #expect(error.code.rawValue == vector.fails)
        }
    }

    @Test(
        "The shared vectors of answers are reproduced",
        arguments: try ChallengeCorpus.load().answers)
    func answer(_ vector: ChallengeCorpus.Answer) throws {
        let proofs = ProofOfPossession(
            topic: vector.topic,
            secrets: try ChallengeSecrets(parsing: vector.secrets.joined(separator: "\n")),
            start: .distantPast, carriers: [Carrier(rawValue: vector.carrier)])
        do throws(PushCryptError) {
            let answer = try Self.answer(vector)
            let now = Date(timeIntervalSince1970: vector.now / 1000)
            guard
                case .accepted(let recipient) = try proofs.decide(
                    answer, account: vector.account, at: now)
            else {
                Issue.record("The server answers a proof with a challenge.")
                return
            }
            #expect(vector.fails == nil, "It is accepted.")
            #expect(
                recipient.registration.generation == vector.generation
                    && recipient.key.kid == vector.kid)
            #expect(recipient.proved == now && recipient.carrier.rawValue == vector.carrier)
        } catch {
            // The proof is valid, and the update then refuses such a first generation.
            let isTooNew = error.staleGeneration == 0 && vector.generation ?? 0 > 1 << 52
            #expect(isTooNew || error.code.rawValue == vector.fails, "\(error)")
        }
    }

    /// Returns the request with the answer of a vector, which has its token and its carrier beside
    /// it.
    private static func answer(_ vector: ChallengeCorpus.Answer) throws(PushCryptError)
        -> RegistrationRequest
    {
        let json = Array(vector.body.utf8)
        // Other members of the body, such as the token, don't count here.
        let members = (try? JSONDocument(scanning: json.span)).map { document in
            ["registration", "expires", "proof"].compactMap { name -> String? in
                document.member(name, in: json.span).map { value in
                    #""\#(name)":"# + String(decoding: json[value.range], as: UTF8.self)
                }
            }
        }
        guard let members else { return try RegistrationRequest(parsing: vector.body) }
        let place = [#""token":"0a""#, #""carrier":"a""#]
        let request = try RegistrationRequest(
            parsing: "{" + (place + members).joined(separator: ",") + "}")
        guard let proof = request.proof else {
            throw PushCryptError(.malformedRegistration, "The answer has no proof.")
        }
        return RegistrationRequest(
            registration: request.registration, deviceToken: vector.token,
            carrier: Carrier(rawValue: vector.carrier), proof: proof)
    }

    @Test(
        "The shared vectors of rows with proofs are reproduced",
        arguments: try ChallengeCorpus.load().rows)
    func row(_ vector: ChallengeCorpus.Row) throws {
        let corpus = try ChallengeCorpus.load()
        let stored = try vector.row.map {
            try JSONDecoder().decode(Recipient.self, from: Data($0.utf8))
        }
        let others = try vector.others.map {
            try JSONDecoder().decode(Recipient.self, from: Data($0.utf8))
        }
        let now = Date(timeIntervalSince1970: corpus.now / 1000)
        do throws(PushCryptError) {
            guard vector.proofs else {
                let recipient = try Recipient(
                    registration: Registration(parsing: vector.text), deviceToken: vector.token,
                    carrier: Carrier(rawValue: vector.carrier), account: vector.account,
                    registered: now,
                    proved: vector.proved ? now : nil, replacing: stored, others: others)
                #expect(recipient == vector.stored)
                return
            }
            let request = try request(vector)
            let decision = try ProofOfPossession(
                topic: "com.example.app", secrets: secrets, start: .distantPast,
                carriers: [request.carrier]
            ).decide(
                request, account: vector.account, replacing: stored, others: others, at: now)
            switch decision {
            case .accepted(let recipient): #expect(recipient == vector.stored)
            case .challenged: #expect(vector.challenge == true)
            }
        } catch {
            #expect(
                error.staleGeneration != nil && error.staleGeneration == vector.stale, "\(error)")
        }
    }

    private let secrets: ChallengeSecrets

    init() throws { secrets = try ChallengeSecrets(parsing: String(repeating: "A", count: 43)) }

    /// Returns the request of a vector, with a valid proof if the vector has one.
    private func request(_ vector: ChallengeCorpus.Row) throws(PushCryptError)
        -> RegistrationRequest
    {
        let carrier = Carrier(rawValue: vector.carrier)
        let plain = RegistrationRequest(
            registration: vector.text, deviceToken: vector.token, carrier: carrier)
        guard vector.proved else { return plain }
        let inputs = try ProofComputation.Inputs(
            plain, account: vector.account, topic: "com.example.app", expiry: 1 << 40)
        let proof = try ProofComputation.proof(
            nonce: ProofComputation.nonce(for: inputs, secret: secrets.current),
            digest: inputs.digest,
            token: inputs.token, account: vector.account)
        return RegistrationRequest(
            registration: vector.text, deviceToken: vector.token, carrier: carrier,
            proof: RegistrationProof(expiry: 1 << 40, bytes: proof))
    }

    @Test(
        "The shared vectors of refusals are reproduced",
        arguments: try ChallengeCorpus.load().refusals)
    func refusal(_ vector: ChallengeCorpus.Refusal) throws {
        let now = Date(timeIntervalSince1970: vector.now / 1000)
        let start = vector.start.map { Date(timeIntervalSince1970: $0 / 1000) }
        var sealer = Sealer(
            .anonymous, proofs: start.map { .required(since: $0) } ?? .notRequired,
            time: TestClock(now))
        var code: String?
        do {
            let recipient = try JSONDecoder().decode(Recipient.self, from: Data(vector.row.utf8))
            sealer.carrier = recipient.carrier
            if vector.kind == nil {
                _ = try sealer.seal(json: #"{"aps":{"alert":"a"}}"#, for: recipient)
            } else {
                // A challenge is for a device without a proof.
                let challenge = try RegistrationChallenge(
                    for: RegistrationRequest(
                        registration: recipient.registration.json,
                        deviceToken: recipient.deviceToken),
                    account: "", topic: "com.example.app", secrets: secrets, expiration: now + 60)
                sealer.carrier = .apns
                _ = try challenge.seal(with: sealer)
            }
        } catch let error as PushCryptError {
            code = error.code.rawValue
        } catch is DecodingError {
            // Swift's decoder has errors of its own.
            code = "malformed-registration"
        }
        #expect(code == vector.fails)
    }

    @Test("The corpus is complete") func theCorpusIsComplete() throws {
        let corpus = try ChallengeCorpus.load()
        #expect(corpus.answers.count { $0.fails != nil } >= 245)
        #expect(corpus.proofs.count { $0.fails != nil } >= 76)
        #expect(corpus.refusals.count { $0.fails != nil } >= 35)
    }
}
