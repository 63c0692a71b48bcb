internal import PushCryptCore
internal import PushCryptFoundation
internal import PushCryptKeyring

/// The conversation of a device with its server as a table: each event changes the state, and leads
/// to one action.
///
/// |Event|Change|Action|
/// |---|---|---|
/// |launched|the keys are created, rotated, destroyed|open the stored challenges, or settle|
/// |renewed|as launched, and a new key is pending|as launched|
/// |asked, by a push without content|as launched, at most once an hour|as launched|
/// |challenged, by a push|the arrival and the answer are recorded|send the proof, settle, or end|
/// |stored challenges, opened|the answer is recorded|send the proof, or settle|
/// |answered: stale|the generation follows the server|send again; fail if a repetition is stale|
/// |answered: challenged|the registration waits; lists are stored|settle; end after a pushed proof|
/// |answered: accepted|the key is primary; lists are stored; it is confirmed|settle|
/// |challenge not opened|the problem is recorded while a registration waits|end|
/// |unanswered, a stored challenge|none|send the proof for the next one, or settle|
/// |unanswered, anything else|none|fail|
///
/// To settle is to prepare the keys again, and to send a registration if the server doesn't know
/// it. A conversation ends if the server knows it, a challenge for it is still to come, or three
/// registrations were sent, apart from repetitions. It fails at the end if a proof or a list was
/// rejected.
///
/// The driver stores a state before it performs the action. After an interruption at any point, the
/// next launch goes on from the stored state. The device has the key of each registration that it
/// has sent, so that pushes to it open before the answer. A step creates keys, and has no other
/// side effect.
struct RegistrationMachine: Sendable {
    let rotation: KeyRotation
    let account: String
    let carrier: Carrier
    let now: Date

    /// The state of an account: what is stored, and the conversation, which ends with the app.
    struct State: Sendable {
        var record: RegistrationRecord
        var keyring: DeviceKeyring?
        var conversation: Conversation
    }

    /// What a conversation has come to.
    struct Conversation: Sendable {
        /// The device token as text.
        let token: String
        var preparation = KeyPreparation.unchanged
        /// The registration in the last request.
        var sent: Registration?
        /// The kind of the last request.
        var request = Request.registration
        /// The number of registrations that may still follow.
        ///
        /// The accepted keys may change twice if the server changes its list meanwhile.
        var registrationsLeft = 3
        /// The stored challenges that may still be answered.
        var challenges: [ChallengeContent] = []
        /// A Boolean value that indicates whether the server has answered the proof for a stored
        /// challenge.
        var hasProved = false
        /// The error of the last proof, which a registration makes irrelevant.
        var proofFailure: (any Error)?
        /// The error of a list of accepted keys.
        var listFailure: PushCryptError?
        /// A Boolean value that indicates whether the server was asked.
        var hasAsked = false
        /// A Boolean value that indicates whether the server has confirmed the present
        /// registration.
        var isConfirmed = false
    }

    enum Request: Sendable {
        case registration
        /// The registration after the server was stale.
        case repetition
        /// The proof for a stored challenge, after which the registration continues.
        case storedProof
        /// The proof for a challenge that a push has brought.
        case proof
    }

    enum Event: Sendable {
        case launched
        case renewed
        case asked
        case challenged(ChallengeContent)
        case challengeNotOpened(PushCryptError.Code)
        case storedChallenges([ChallengeContent])
        case answered(RegistrationResponse)
        case unanswered(any Error)
    }

    enum Action: Sendable {
        /// Open the challenges that the extension has stored since a time.
        case openChallenges(since: Int64)
        case send(RegistrationRequest)
        case end
        case fail(any Error)
    }

    /// Returns the state after an event, and the action that follows after the state is stored.
    ///
    /// - Throws: ``PushCryptError`` with the errors of ``DeviceRegistrar``. The state stays as it
    ///   was.
    func step(_ state: State, _ event: Event) throws(PushCryptError) -> (State, Action) {
        var next = state
        let action = try take(event, &next)
        return (next, action)
    }

    private func take(_ event: Event, _ state: inout State) throws(PushCryptError) -> Action {
        switch event {
        case .launched: return try launch(&state)
        case .renewed:
            try prepare(&state)
            // A key that was created just now can't have leaked.
            if state.conversation.preparation == .unchanged {
                try rotation.renew(&state.keyring, at: now)
            }
            return try launch(&state)
        case .asked:
            guard isDue(after: state.record.asked) else { return .end }
            // Recorded before the request, so that a server that fails isn't asked again at once.
            state.record.asked = RegistrationRecord.seconds(now)
            state.record.confirmed = nil
            state.conversation.hasAsked = true
            return try launch(&state)
        case .challenged(let content): return try challenged(with: content, &state)
        case .challengeNotOpened(let code): return challengeNotOpened(code, &state)
        case .storedChallenges(let contents):
            state.conversation.challenges = contents
            if let action = try proveNext(&state) { return action }
            return try settle(&state)
        case .answered(let response): return try answered(response, &state)
        case .unanswered(let error): return try unanswered(error, &state)
        }
    }

    // MARK: Beginning

    private func launch(_ state: inout State) throws(PushCryptError) -> Action {
        try prepare(&state)
        if let begun = state.record.begun { return .openChallenges(since: begun.since) }
        return try settle(&state)
    }

    /// Prepares the keys, as the first step of a conversation.
    private func prepare(_ state: inout State) throws(PushCryptError) {
        let prepared = try rotation.prepare(&state.keyring, at: now)
        if prepared.state != .unchanged { state.conversation.preparation = prepared.state }
        if prepared.missesTime { state.record.confirmed = nil }
    }

    /// Registers if the server doesn't know the present keys, and a challenge isn't still to come.
    ///
    /// By the server's answer, a new key may be due, and retired keys may have expired. Only the
    /// first step creates a keyring: another call may have deleted the account since.
    func settle(_ state: inout State) throws(PushCryptError) -> Action {
        _ = try rotation.prepare(&state.keyring, at: now, isCreating: false)
        let registration = try rotation.registration(of: state.keyring)
        let isKnown = try isKnown(registration, state)
        state.conversation.isConfirmed = isKnown
        let isAwaiting = try isAwaitingChallenge(for: registration, state)
        guard !isKnown, !isAwaiting, state.conversation.registrationsLeft > 0 else {
            let failure = state.conversation.proofFailure ?? state.conversation.listFailure
            return failure.map { .fail($0) } ?? .end
        }
        state.conversation.registrationsLeft -= 1
        return try begin(registration, &state)
    }

    /// Sends a registration, after it is recorded that the device has begun it.
    func begin(
        _ registration: Registration, as request: Request = .registration, _ state: inout State
    ) throws(PushCryptError) -> Action {
        let wantsVisible = try record(registration, &state)
        state.conversation.sent = registration
        state.conversation.request = request
        state.conversation.hasAsked = true
        state.conversation.proofFailure = nil
        return .send(
            RegistrationRequest(
                registration: registration.json, deviceToken: state.conversation.token,
                carrier: carrier,
                wantsVisibleChallenge: wantsVisible))
    }

    /// Records that the device begins a registration.
    ///
    /// - Returns: A Boolean value that indicates whether the device asks for a visible challenge,
    ///   because a silent one hasn't arrived.
    @discardableResult
    func record(_ registration: Registration, _ state: inout State) throws(PushCryptError) -> Bool {
        let text = registration.json
        let token = try hashes(registration, state).token
        let last = state.record.begun.flatMap {
            $0.registration == text && $0.token == token ? $0 : nil
        }
        let seconds = RegistrationRecord.seconds(now) ?? 0
        // If the answer is lost, the server may have stored this registration instead of the last
        // confirmed one.
        state.record.confirmed = nil
        state.record.begun = RegistrationRecord.Begun(
            registration: text, token: token, since: last?.since ?? seconds, asked: seconds,
            challenges: last?.challenges ?? 0)
        return last.map { $0.challenges > 0 } ?? false
    }

    // MARK: Answers

    private func answered(_ response: RegistrationResponse, _ state: inout State)
        throws(PushCryptError) -> Action
    {
        guard let sent = state.conversation.sent, state.keyring != nil else {
            throw KeyRotation.noKeys
        }
        let request = state.conversation.request
        if request == .storedProof {
            state.conversation.hasProved = true
            state.conversation.proofFailure = nil
        }
        // For the diagnosis.
        if let date = response.date {
            state.record.clock = Int64(exactly: date.timeIntervalSince(now).rounded())
        }
        switch response.kind {
        case .stale(let generation):
            guard request != .repetition else { return .fail(Self.staleTwice) }
            try rotation.followGeneration(generation, rejecting: sent, in: &state.keyring, at: now)
            // Another call may have rotated the key meanwhile.
            let registration = try rotation.registration(of: state.keyring)
            return try begin(
                registration, as: request == .registration ? .repetition : .registration, &state)
        case .challenged:
            state.record.begun?.challenges += 1
            state.record.begun?.waiting = true
            addLists(of: response, &state)
            // The next challenge brings the device back.
            if request == .proof { return state.conversation.listFailure.map { .fail($0) } ?? .end }
        case .accepted:
            try rotation.confirm(sent, in: &state.keyring, at: now, serverTime: response.date)
            addLists(of: response, &state)
            state.record.registered = try hashes(sent, state)
            state.record.begun = nil
            state.record.confirmed = RegistrationRecord.seconds(now)
        }
        return try settle(&state)
    }

    private func addLists(of response: RegistrationResponse, _ state: inout State) {
        let failure = rotation.addSignerLists(
            response.signerLists, to: &state.keyring, at: response.date ?? now)
        state.conversation.listFailure = state.conversation.listFailure ?? failure
    }

    private static let staleTwice = PushCryptError(
        .staleGeneration,
        """
        The server rejected a registration with a newer generation than its own. Check the \
        server's comparison.
        """)

    private func unanswered(_ error: any Error, _ state: inout State) throws(PushCryptError)
        -> Action
    {
        guard state.conversation.request == .storedProof else { return .fail(error) }
        state.conversation.proofFailure = error
        // After a confirmation or another registration, the other challenges prove nothing.
        if state.record.begun?.registration != state.conversation.sent?.json {
            state.conversation.challenges = []
        }
        if let action = try proveNext(&state) { return action }
        return try settle(&state)
    }
}
