import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptSender

/// The server's decisions about registrations with and without a proof.
@Suite struct ProofOfPossessionTests {
    private let now = Date(timeIntervalSince1970: 1_767_225_600)
    private let token = String(repeating: "ab", count: 32)
    private let secrets: ChallengeSecrets

    init() throws {
        secrets = try ChallengeSecrets(parsing: String(repeating: "A", count: 43))
    }

    private var proofs: ProofOfPossession {
        ProofOfPossession(
            topic: "com.example.app", secrets: secrets, start: now - 86_400, challengeLifetime: 3600
        )
    }

    private func registration(_ generation: UInt64, _ device: TestKeys.Device = .alice) throws
        -> Registration
    {
        Registration(
            key: try TestKeys.device(device).publicKey, generation: generation, created: now,
            lifetime: 604_800)
    }

    /// Returns a device's request, with the proof for a challenge until a time.
    private func request(
        _ registration: Registration, provedUntil expiry: UInt64? = nil, account: String = "anna",
        token: String? = nil
    ) throws -> RegistrationRequest {
        let token = token ?? self.token
        let plain = RegistrationRequest(registration: registration.json, deviceToken: token)
        guard let expiry else { return plain }
        let inputs = try ProofComputation.Inputs(
            plain, account: account, topic: "com.example.app", expiry: expiry)
        let nonce = try ProofComputation.nonce(for: inputs, secret: secrets.current)
        let proof = try ProofComputation.proof(
            nonce: nonce, digest: inputs.digest, token: inputs.token, account: account)
        return RegistrationRequest(
            registration: registration.json, deviceToken: token,
            proof: RegistrationProof(expiry: expiry, bytes: proof))
    }

    private func accepted(_ decision: ProofOfPossession.Decision) -> Recipient? {
        if case .accepted(let recipient) = decision { recipient } else { nil }
    }

    private var expiry: UInt64 { UInt64(now.timeIntervalSince1970) + 3600 }

    @Test("Without a proof nothing is accepted but the proved registration again")
    func withoutProof() throws {
        #expect(
            try accepted(proofs.decide(request(registration(1)), account: "anna", at: now)) == nil)
        let proved = try #require(
            try accepted(
                proofs.decide(
                    request(registration(1), provedUntil: expiry), account: "anna", at: now)))
        #expect(proved.proved == now && proved.account == "anna" && proved.deviceToken == token)
        let again = try #require(
            try accepted(
                proofs.decide(
                    request(registration(1)), account: "anna", replacing: proved, at: now + 60)))
        #expect(
            again.proved == now && again.registered == now + 60
                && again.registration == proved.registration)
        let other = try proofs.decide(
            request(registration(2)), account: "anna", replacing: proved, at: now)
        #expect(accepted(other) == nil)
        // The same key without a proof, from before proofs.
        let old = try Recipient(
            registration: registration(1), deviceToken: token, account: "anna", registered: now)
        #expect(
            try accepted(
                proofs.decide(request(registration(1)), account: "anna", replacing: old, at: now))
                == nil)
    }

    @Test("A stale generation is answered before a challenge") func staleGeneration() throws {
        let proved = try #require(
            try accepted(
                proofs.decide(
                    request(registration(9), provedUntil: expiry), account: "anna", at: now)))
        for request in [
            try request(registration(8)), try request(registration(8), provedUntil: expiry),
        ] {
            let error = thrownError {
                try proofs.decide(request, account: "anna", replacing: proved, at: now)
            }
            #expect(error?.staleGeneration == 9)
        }
    }

    @Test("A token in capitals is the same device, and a changed input is another one")
    func inputs() throws {
        let answer = try request(registration(1), provedUntil: expiry)
        let capitals = RegistrationRequest(
            registration: answer.registration, deviceToken: token.uppercased(), proof: answer.proof)
        #expect(
            try accepted(proofs.decide(capitals, account: "anna", at: now))?.deviceToken == token)
        #expect(errorCode { try proofs.decide(answer, account: "berta", at: now) } == .invalidProof)
        let otherToken = RegistrationRequest(
            registration: answer.registration, deviceToken: String(repeating: "ac", count: 32),
            proof: answer.proof)
        #expect(
            errorCode { try proofs.decide(otherToken, account: "anna", at: now) } == .invalidProof)
        let otherCarrier = RegistrationRequest(
            registration: answer.registration, deviceToken: token,
            carrier: Carrier(rawValue: "expo"),
            proof: answer.proof)
        #expect(
            errorCode { try proofs.decide(otherCarrier, account: "anna", at: now) } == .wrongCarrier
        )
        let both = ProofOfPossession(
            topic: proofs.topic, secrets: secrets, start: now,
            carriers: [.apns, otherCarrier.carrier])
        #expect(
            errorCode { try both.decide(otherCarrier, account: "anna", at: now) } == .invalidProof)
        #expect(try accepted(both.decide(answer, account: "anna", at: now)) != nil)
        let otherTopic = ProofOfPossession(topic: "com.example.other", secrets: secrets, start: now)
        #expect(
            errorCode { try otherTopic.decide(answer, account: "anna", at: now) } == .invalidProof)
        let spaced = RegistrationRequest(
            registration: answer.registration + " ", deviceToken: token, proof: answer.proof)
        #expect(errorCode { try proofs.decide(spaced, account: "anna", at: now) } == .invalidProof)
    }

    @Test("A challenge goes through the carrier of its request only") func carriers() throws {
        let request = RegistrationRequest(
            registration: try registration(1).json, deviceToken: "ExponentPushToken[aB]",
            carrier: .expo,
            wantsVisibleChallenge: true)
        #expect(errorCode { try proofs.decide(request, account: "anna", at: now) } == .wrongCarrier)
        let both = ProofOfPossession(
            topic: proofs.topic, secrets: secrets, start: now, carriers: [.apns, .expo])
        guard case .challenged(let challenge) = try both.decide(request, account: "anna", at: now)
        else {
            Issue.record("The registration is accepted without a proof.")
            return
        }
        #expect(challenge.carrier == .expo)
        var sealer = Sealer(.anonymous, time: TestClock(now))
        let aps = Payload(body: "Open the app.").aps
        #expect(errorCode { try challenge.seal(with: sealer, displaying: aps) } == .wrongCarrier)
        sealer.carrier = .expo
        let push = try challenge.seal(with: sealer, displaying: aps)
        #expect(push.carrier == .expo && push.headers.collapseID == nil)
    }

    @Test("The expiry ends a challenge, and can't be changed") func expiries() throws {
        let answer = try request(registration(1), provedUntil: expiry)
        let end = Date(timeIntervalSince1970: TimeInterval(expiry))
        #expect(try accepted(proofs.decide(answer, account: "anna", at: end - 0.001)) != nil)
        #expect(
            errorCode { try proofs.decide(answer, account: "anna", at: end) } == .expiredChallenge)
        let bytes = try #require(answer.proof).bytes
        let longer = RegistrationRequest(
            registration: answer.registration, deviceToken: token,
            proof: RegistrationProof(expiry: expiry + 1, bytes: bytes))
        #expect(errorCode { try proofs.decide(longer, account: "anna", at: now) } == .invalidProof)
    }

    @Test("An unproved key never becomes a former key of a proved row") func formerKeys() throws {
        let old = try Recipient(
            registration: registration(1, .bob), deviceToken: token, account: "anna",
            registered: now - 90_000)
        let proved = try #require(
            try accepted(
                proofs.decide(
                    request(registration(2), provedUntil: expiry), account: "anna", replacing: old,
                    at: now)))
        #expect(proved.formerKeys.isEmpty)
        let next = try #require(
            try accepted(
                proofs.decide(
                    request(registration(3, .bob), provedUntil: expiry), account: "anna",
                    replacing: proved, at: now)))
        #expect(next.formerKeys.map(\.kid) == [try TestKeys.device().publicKey.kid])
        let back = thrownError {
            try proofs.decide(
                request(registration(4), provedUntil: expiry), account: "anna", replacing: next,
                at: now)
        }
        #expect(back?.staleGeneration == 4)
    }

    @Test("A sealer refuses recipients without a proof, except for 30 days those from before")
    func requirement() throws {
        let start = proofs.start
        let sealer = Sealer(.anonymous, proofs: proofs.requirement, time: TestClock(now))
        func code(_ recipient: some SealTarget, at date: Date) -> PushCryptError.Code? {
            errorCode { try proofs.requirement.check(recipient, at: date) }
        }
        let registration = try registration(1)
        let before = try Recipient(
            registration: registration, deviceToken: token, registered: start - 0.001)
        let after = try Recipient(registration: registration, deviceToken: token, registered: start)
        let proved = try Recipient(
            registration: registration, deviceToken: token, registered: start, proved: now)
        let end = start + 30 * 86_400
        #expect(code(before, at: now) == nil && code(before, at: end - 0.001) == nil)
        #expect(
            code(before, at: end) == .unprovedRecipient
                && code(after, at: now) == .unprovedRecipient)
        #expect(code(proved, at: end + 1e9) == nil)
        #expect(code(registration, at: now) == .unprovedRecipient)
        #expect(code(registration.key, at: now) == .unprovedRecipient)
        let json = #"{"aps":{"alert":"a"}}"#
        #expect(errorCode { try sealer.seal(json: json, for: after) } == .unprovedRecipient)
        #expect(throws: Never.self) { try sealer.seal(json: json, for: proved) }
        #expect(throws: Never.self) {
            try Sealer(.anonymous).seal(json: json, for: registration.key)
        }
    }

    @Test("A row keeps its proof and its carrier in the database") func row() throws {
        let carrier = Carrier(rawValue: "expo")
        let recipient = try Recipient(
            registration: registration(1), deviceToken: "ExponentPushToken[aB]", carrier: carrier,
            account: "anna",
            registered: now, proved: now)
        #expect(recipient.deviceToken == "ExponentPushToken[aB]")
        let json = try JSONEncoder().encode(recipient)
        #expect(try JSONDecoder().decode(Recipient.self, from: json) == recipient)
        #expect(String(decoding: json, as: UTF8.self).contains(#""carrier":"expo""#))
        for token in ["", String(repeating: "a", count: 4097)] {
            let code = errorCode {
                try Recipient(registration: registration(1), deviceToken: token, carrier: carrier)
            }
            #expect(code == .malformedRegistration)
        }
        let plain = try Recipient(registration: registration(1), deviceToken: token)
        let text = String(decoding: try JSONEncoder().encode(plain), as: UTF8.self)
        #expect(!text.contains("carrier") && !text.contains("proved"))
    }

    @Test("Secrets are one or two lines of 43 characters") func secretLines() throws {
        let one = String(repeating: "A", count: 43)
        for text in [one, one + "\n", one + "\r\n" + one + "\r\n"] {
            #expect(throws: Never.self) { try ChallengeSecrets(parsing: text) }
        }
        for text in [
            "", "\n", one + "A", String(one.dropLast()), one + "\n" + one + "\n" + one, one + " ",
        ] {
            #expect(errorCode { try ChallengeSecrets(parsing: text) } == .invalidKey)
        }
        #expect("\(secrets)" == "ChallengeSecrets (1)")
        let scratch = try Scratch()
        let path = scratch.write(Array((one + "\n").utf8), to: "secret")
        #expect(throws: Never.self) { try ChallengeSecrets(contentsOf: path) }
        let open = scratch.write(Array(one.utf8), to: "open", mode: 0o644)
        #expect(errorCode { try ChallengeSecrets(contentsOf: open) } == .insecureFile)
    }

    @Test("A token gets 20 challenges a day, and visible ones once an hour and three times a day")
    func limits() throws {
        var history = ChallengeHistory()
        #expect(history.isEmpty(at: now))
        #expect(try history.record(wantsVisible: true, at: now))
        // Above the limit, a silent one may still reach the app.
        #expect(try !history.record(wantsVisible: true, at: now + 3599))
        #expect(try history.record(wantsVisible: true, at: now + 3600))
        #expect(try history.record(wantsVisible: true, at: now + 7200))
        #expect(try !history.record(wantsVisible: true, at: now + 86_399))
        for _ in 1...15 { #expect(try !history.record(wantsVisible: false, at: now + 7200)) }
        let stored = try JSONDecoder().decode(
            ChallengeHistory.self, from: JSONEncoder().encode(history))
        #expect(stored == history)
        for wantsVisible in [false, true] {
            let code = errorCode {
                _ = try history.record(wantsVisible: wantsVisible, at: now + 7201)
            }
            #expect(code == .tooManyChallenges)
        }
        #expect(stored == history, "A refused challenge isn't counted.")
        #expect(try history.record(wantsVisible: true, at: now + 86_400))
        #expect(history.isEmpty(at: now + 10 * 86_400))
    }
}
