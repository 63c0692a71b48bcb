import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptSender

/// Forged and altered answers to a challenge.
///
/// `PUSHCRYPT_FORGERIES` is their number.
@Suite(.thorough) struct ForgedAnswerTests {
    private static let count =
        ProcessInfo.processInfo.environment["PUSHCRYPT_FORGERIES"].flatMap(Int.init)
        ?? LongRun.count(5_000, full: 100_000)

    private let now = Date(timeIntervalSince1970: 1_767_225_600)

    /// An answer and its session, which a test alters.
    private struct Attempt {
        var registration: String
        var token: String
        var carrier = Carrier.apns
        var account = "anna"
        var topic = "com.example.app"
        var expiry: UInt64
        var proof: [UInt8]

        var request: RegistrationRequest {
            RegistrationRequest(
                registration: registration, deviceToken: token, carrier: carrier,
                proof: RegistrationProof(expiry: expiry, bytes: proof))
        }
    }

    @Test("No forged or altered answer is accepted") func forgedAnswers() throws {
        var random = SeededRandom(seed: 29)
        let secrets = try ChallengeSecrets(parsing: Base64URL.encode(random.bytes(32)))
        let honest = try honestAttempt(secrets)
        #expect(try isAccepted(honest, secrets))
        var counts: [Int: Int] = [:]
        for number in 0..<Self.count {
            let kind = number % 9
            let forged = try alter(honest, kind: kind, &random)
            guard try !isAccepted(forged, secrets) else {
                Issue.record("Forgery \(number) of kind \(kind) is accepted.")
                return
            }
            counts[kind, default: 0] += 1
        }
        #expect(counts.count == 9 && counts.values.allSatisfy { $0 > Self.count / 10 })
    }

    private func honestAttempt(_ secrets: ChallengeSecrets) throws -> Attempt {
        let registration = Registration(
            key: try TestKeys.device().publicKey, generation: 7, created: now, lifetime: 604_800)
        var attempt = Attempt(
            registration: registration.json, token: String(repeating: "0a", count: 32),
            expiry: UInt64(now.timeIntervalSince1970) + 600, proof: [])
        let inputs = try ProofComputation.Inputs(
            attempt.request, account: attempt.account, topic: attempt.topic, expiry: attempt.expiry)
        let nonce = try ProofComputation.nonce(for: inputs, secret: secrets.current)
        attempt.proof = try ProofComputation.proof(
            nonce: nonce, digest: inputs.digest, token: inputs.token, account: attempt.account)
        return attempt
    }

    /// Alters one part of an answer, or moves a boundary between two parts.
    private func alter(_ honest: Attempt, kind: Int, _ random: inout SeededRandom) throws -> Attempt
    {
        var forged = honest
        switch kind {
        case 0:
            forged.proof[Int.random(in: 0..<32, using: &random)] ^=
                1 << UInt8.random(in: 0..<8, using: &random)
        case 1: forged.proof = random.bytes(32)
        case 2: forged.expiry += UInt64.random(in: 1..<1 << 40, using: &random)
        case 3:
            forged.token = String(repeating: "0a", count: 31) + hex(random.bytes(1), except: "0a")
        case 4:
            forged.account =
                ["berta", "", "ann", "anna ", "Anna"][Int.random(in: 0..<5, using: &random)]
        case 5:
            forged.topic =
                ["com.example.ap", "com.example.app2", ""][Int.random(in: 0..<3, using: &random)]
        case 6:
            let generation = UInt64.random(in: 8..<1000, using: &random)
            forged.registration = forged.registration.replacingOccurrences(
                of: #""generation":7"#, with: #""generation":\#(generation)"#)
        case 7:
            forged.registration += String(
                repeating: " ", count: Int.random(in: 1..<100, using: &random))
        default:
            // The proof of an attacker who has the nonce of a challenge to another token.
            let nonce = random.bytes(32)
            forged.proof = try ProofComputation.proof(
                nonce: nonce, digest: ProofComputation.digest(of: forged.registration),
                token: forged.token,
                account: forged.account)
        }
        return forged
    }

    private func hex(_ bytes: [UInt8], except other: String) -> String {
        let text = bytes.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }
            .joined()
        return text == other ? "0b" : text
    }

    private func isAccepted(_ attempt: Attempt, _ secrets: ChallengeSecrets) throws -> Bool {
        let proofs = ProofOfPossession(
            topic: attempt.topic, secrets: secrets, start: now, carriers: [attempt.carrier])
        do throws(PushCryptError) {
            _ = try proofs.decide(attempt.request, account: attempt.account, at: now)
            return true
        } catch {
            guard error.code == .invalidProof else { throw error }
            return false
        }
    }
}
