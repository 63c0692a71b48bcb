import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptSender
import TestSupport

@testable import PushCryptReceiver

/// An attacker with a stolen session of the account `anna`, and the own account `mallory`.
struct ProofAttacker {
    enum Attempt {
        case request(account: String, RegistrationRequest)
        case push(ProofServer.Push)
    }

    let key: RecipientPrivateKey
    let token: [UInt8]
    /// All pushes that the attacker has recorded on their way.
    private var pushes: [ProofServer.Push] = []
    /// The challenges that the attacker has opened: those to the attacker's key and token.
    private var opened: [Challenge] = []
    /// The number of challenges that the attacker has opened.
    var openedCount: Int { opened.count }
    /// The attacker's last request for the own token.
    private var begun: (account: String, registration: String)?

    /// A challenge that the attacker has caused and opened.
    private struct Challenge {
        let content: ChallengeContent
        let account: String
        let registration: String
    }

    private let time: any TimeSource

    init(key: RecipientPrivateKey, token: [UInt8], time: any TimeSource) {
        self.time = time
        self.key = key
        self.token = token
    }

    var tokenText: String { hexadecimal(token) }

    /// Records a push, and opens it if it arrives at the attacker's phone.
    mutating func receive(_ push: ProofServer.Push) {
        pushes.append(push)
        guard push.token == tokenText,
            let value = try? SealedValue(json: push.payload, from: .apns),
            let opened = try? Opener(
                keys: InMemoryKeyStore([key]), senderPolicy: .anyone, time: time
            )
            .open(value, as: [.challenge]),
            let content = try? ChallengeContent(parsing: opened.payload), let begun
        else { return }
        self.opened.append(
            Challenge(content: content, account: begun.account, registration: begun.registration))
    }

    /// Returns the next attempt; `nil` if the attacker knows too little.
    mutating func attempt(
        on tokens: [String], _ sent: [ProofSchedule.Sent], _ rows: [ProofServer.Place: Recipient],
        _ random: inout SeededRandom
    ) -> Attempt? {
        let account = Bool.random(using: &random) ? "anna" : "mallory"
        let victim = tokens[Int.random(in: 0..<tokens.count, using: &random)]
        let isVisible = Int.random(in: 0..<4, using: &random) == 0
        let generation = UInt64.random(in: 1..<1 << 20, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            // The attacker's key under a foreign token.
            return .request(
                account: account, request(own(generation), victim, isVisible: isVisible))
        case 1, 2:
            // A foreign registration, or the attacker's own, under the attacker's token.
            let foreign =
                Bool.random(using: &random) ? sent.suffix(3).randomElement(using: &random) : nil
            let registration = foreign?.request.registration ?? own(generation)
            begun = (account, registration)
            return .request(
                account: account, request(registration, tokenText, isVisible: isVisible))
        case 3, 4: return repetition(account, sent, &random)
        case 5:
            // The owner's own key with a higher generation.
            // In an order that is the same in each process.
            let annas = rows.filter { $0.key.account == "anna" }.sorted {
                $0.key.token < $1.key.token
            }
            guard let row = annas.randomElement(using: &random) else { return nil }
            let raised = Registration(
                key: row.value.key, generation: row.value.registration.generation + generation,
                created: row.value.registration.created, lifetime: 604_800)
            return .request(account: "anna", request(raised.json, row.key.token))
        case 6, 7: return answer(account, victim, sent, &random)
        default:
            let recent = Bool.random(using: &random) ? pushes.suffix(2) : pushes[...]
            guard let push = recent.randomElement(using: &random) else { return nil }
            return .push(push)
        }
    }

    private func own(_ generation: UInt64) -> String {
        Registration(
            key: key.publicKey, generation: generation,
            created: Date(timeIntervalSince1970: 1_767_225_600),
            lifetime: 604_800
        ).json
    }

    private func request(_ registration: String, _ token: String, isVisible: Bool = false)
        -> RegistrationRequest
    {
        RegistrationRequest(
            registration: registration, deviceToken: token, wantsVisibleChallenge: isVisible)
    }

    /// Sends an old request once more, in the stolen session or in the attacker's, also with the
    /// attacker's token.
    private func repetition(
        _ account: String, _ sent: [ProofSchedule.Sent], _ random: inout SeededRandom
    ) -> Attempt? {
        let recent = Bool.random(using: &random) ? sent.suffix(2) : sent.suffix(8)
        guard let one = recent.randomElement(using: &random) else { return nil }
        var request = one.request
        if Bool.random(using: &random) {
            request = RegistrationRequest(
                registration: request.registration, deviceToken: tokenText, proof: request.proof)
        }
        return .request(account: one.account == "anna" ? account : "mallory", request)
    }

    /// Answers a challenge of the attacker's own, or with its nonce another one: for another
    /// account, token or registration.
    private mutating func answer(
        _ account: String, _ victim: String, _ sent: [ProofSchedule.Sent],
        _ random: inout SeededRandom
    ) -> Attempt? {
        guard let challenge = opened.suffix(3).randomElement(using: &random) else { return nil }
        var (account, token, registration) = (challenge.account, tokenText, challenge.registration)
        switch Int.random(in: 0..<5, using: &random) {
        // The attacker's own phone, in the attacker's own account only: in a stolen one, the list
        // of devices shows it.
        case 0: account = "mallory"
        case 1: token = victim
        case 2: account = account == "anna" ? "mallory" : "anna"
        case 3:
            registration = sent.randomElement(using: &random)?.request.registration ?? registration
        default: (token, account) = (victim, "anna")
        }
        let isOwnPhone =
            account == challenge.account && token == tokenText
            && registration == challenge.registration
        guard !isOwnPhone || account == "mallory" else { return nil }
        return .request(account: account, proved(registration, token, account, challenge.content))
    }

    private func proved(
        _ registration: String, _ token: String, _ account: String, _ content: ChallengeContent
    ) -> RegistrationRequest {
        let digest = try? ProofComputation.digest(of: registration)
        let proof = try? ProofComputation.proof(
            nonce: content.nonce, digest: digest ?? [], token: token, account: account)
        return RegistrationRequest(
            registration: registration, deviceToken: token,
            proof: RegistrationProof(expiry: content.expiry, bytes: proof ?? []))
    }
}
