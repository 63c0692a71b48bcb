import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptPayload
import PushCryptSender
import PushCryptSystem
import PushCryptTesting

@testable import PushCryptReceiver

/// A server that asks for proofs: it stores rows of proved registrations only, and sends
/// challenges.
final class ProofServer: Sendable {
    /// The place of a row.
    struct Place: Hashable, Sendable {
        let account: String
        let token: String
    }

    /// A push on its way to a token.
    struct Push: Sendable {
        let token: String
        let payload: [UInt8]
        let isVisible: Bool
    }

    struct Refused: Error {
        let code: PushCryptError.Code
    }

    struct State: Sendable {
        var rows: [Place: Recipient] = [:]
        var histories: [String: ChallengeHistory] = [:]
        var pushes: [Push] = []
        var secrets: [String]
    }

    static let topic = "com.example.app"

    private let state: LockedValue<State>
    private let time: any TimeSource
    private let signer: SigningKey
    /// The time at which proofs were switched on.
    let start: Date

    private let challengeLifetime: TimeInterval

    init(
        time: any TimeSource, signer: SigningKey,
        secret: String = String(repeating: "A", count: 43),
        challengeLifetime: TimeInterval = 3600
    ) {
        self.challengeLifetime = challengeLifetime
        self.time = time
        self.signer = signer
        start = time.now
        state = LockedValue(State(secrets: [secret]))
    }

    var rows: [Place: Recipient] {
        get { state.withLock { $0.rows } }
        set { state.withLock { $0.rows = newValue } }
    }

    /// Returns the pushes that were sent since the last call.
    func takePushes() -> [Push] {
        state.withLock { state in
            defer { state.pushes = [] }
            return state.pushes
        }
    }

    /// Replaces the current secret; answers to the previous one are still accepted.
    func rotate(to secret: String) {
        state.withLock { $0.secrets = [secret, $0.secrets[0]] }
    }

    var proofs: ProofOfPossession {
        get throws {
            let secrets = state.withLock { $0.secrets }
            return ProofOfPossession(
                topic: Self.topic,
                secrets: try ChallengeSecrets(parsing: secrets.joined(separator: "\n")),
                start: start, challengeLifetime: challengeLifetime)
        }
    }

    var sealer: Sealer {
        get throws { Sealer(.signed(by: signer), proofs: try proofs.requirement, time: time) }
    }

    /// Answers a request of a session of an account.
    func receive(_ request: RegistrationRequest, account: String) throws -> RegistrationResponse {
        let (proofs, sealer) = (try proofs, try sealer)
        return try state.withLock { state in
            let place = Place(account: account, token: request.deviceToken.lowercased())
            let others = state.rows.filter { $0.key.account == account && $0.key != place }.map(
                \.value)
            do throws(PushCryptError) {
                switch try proofs.decide(
                    request, account: account, replacing: state.rows[place], others: others,
                    at: time.now)
                {
                case .accepted(let recipient):
                    state.rows[place] = recipient
                    return .accepted(date: time.now)
                case .challenged(let challenge):
                    let isVisible = try state.histories[place.token, default: ChallengeHistory()]
                        .record(
                            wantsVisible: request.wantsVisibleChallenge, at: time.now)
                    let aps = isVisible ? Payload(body: "Open the app.").aps : nil
                    let push = try challenge.seal(with: sealer, displaying: aps)
                    state.pushes.append(
                        Push(token: place.token, payload: push.payload, isVisible: isVisible))
                    return .challenged(date: time.now)
                }
            } catch {
                if let generation = error.staleGeneration { return .stale(generation: generation) }
                throw Refused(code: error.code)
            }
        }
    }
}
