import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptSystem
import TestSupport

@testable import PushCryptReceiver

/// A server that answers at random, and records its requests and answers.
final class ScenarioServer: Sendable {
    struct Unreachable: Error {}

    /// A registration that the server has answered with a challenge.
    struct Challenge: Sendable {
        let key: RecipientPublicKey
        let expires: Int64
    }

    struct State: Sendable {
        var random: SeededRandom
        /// A Boolean value that indicates whether the next requests get honest answers.
        var isReliable = false
        var asksProofs = false
        var lists: [String] = []
        /// The accepted key, and those before it.
        var recipients: [RecipientPublicKey] = []
        /// The registrations whose challenge isn't sealed yet.
        var challenges: [Challenge] = []
        /// A Boolean value that indicates whether the device has a challenge that it hasn't
        /// answered.
        var waiting = false
        var requests: [String] = []
        var answers: [JSONValue] = []
        var events: [String] = []
    }

    private let clock: ScenarioClock
    let state: LockedValue<State>

    init(clock: ScenarioClock, seed: UInt64) {
        self.clock = clock
        state = LockedValue(State(random: SeededRandom(seed: seed)))
    }

    /// Answers a request of the device.
    func answer(_ request: RegistrationRequest) throws -> RegistrationResponse {
        try state.withLock { state in
            state.requests.append(request.json)
            let registration = try Registration(parsing: request.registration)
            let choice =
                state.isReliable || state.waiting
                ? 99 : Int.random(in: 0..<100, using: &state.random)
            if choice < 8 {
                state.answers.append(.object([:]))
                throw Unreachable()
            }
            if choice < 20, request.proof == nil { return stale(registration.generation, &state) }
            if state.asksProofs, request.proof == nil { return challenged(registration, &state) }
            return accepted(registration, isProof: request.proof != nil, &state)
        }
    }

    private func stale(_ generation: UInt64, _ state: inout State) -> RegistrationResponse {
        let known = max(
            1,
            Int64(generation)
                + [-3, -1, 0, 1, 7, 100_000][Int.random(in: 0..<6, using: &state.random)])
        state.events.append("stale")
        state.answers.append(
            .object(["status": .string("stale"), "generation": .number(JSONNumber(known))]))
        return .stale(generation: UInt64(known))
    }

    private func challenged(_ registration: Registration, _ state: inout State)
        -> RegistrationResponse
    {
        state.events.append("challenged")
        state.challenges.append(
            Challenge(key: registration.key, expires: clock.milliseconds / 1000 + 900))
        let (date, lists) = record("challenged", &state)
        return .challenged(date: date, signerLists: lists)
    }

    private func accepted(_ registration: Registration, isProof: Bool, _ state: inout State)
        -> RegistrationResponse
    {
        state.recipients.removeAll { $0.keyID == registration.key.keyID }
        state.recipients.append(registration.key)
        state.challenges = []
        if isProof { state.events.append("proved") }
        let (date, lists) = record("accepted", &state)
        return .accepted(date: date, signerLists: lists)
    }

    /// Records an answer with a date and the lists, and returns them.
    private func record(_ status: String, _ state: inout State) -> (Date?, [String]) {
        var members: [String: JSONValue] = ["status": .string(status)]
        let lists = state.lists
        if !lists.isEmpty { members["lists"] = .array(lists.map { .string($0) }) }
        var date: Date?
        let choice = Int.random(in: 0..<20, using: &state.random)
        if choice > 0 {
            let skew: Int64 = choice == 1 ? 86_400 : choice == 2 ? -7200 : 0
            let seconds = clock.milliseconds / 1000 + skew
            date = Date(timeIntervalSince1970: Double(seconds))
            members["date"] = .number(JSONNumber(seconds * 1000))
        }
        state.answers.append(.object(members))
        return (date, lists)
    }

    /// Returns the requests, the answers and the events since the last call.
    func take() -> (requests: [String], answers: [JSONValue], events: [String]) {
        state.withLock { state in
            defer { (state.requests, state.answers, state.events) = ([], [], []) }
            return (state.requests, state.answers, state.events)
        }
    }
}
