internal import PushCryptCore
internal import PushCryptFoundation
internal import PushCryptKeyring

// The device's part of a proof: section 14 of the format.
extension RegistrationMachine {
    /// The time in seconds for which a registration waits for a challenge, before the device asks
    /// for a visible one.
    static let patience: TimeInterval = 3600

    /// The number of visible challenges that a server sends to a token within 24 hours.
    private static let visibleChallenges = 3

    /// Returns a Boolean value that indicates whether the server has sent a challenge for the
    /// registration within the last hour.
    func isAwaitingChallenge(for registration: Registration, _ state: State) throws(PushCryptError)
        -> Bool
    {
        guard let begun = state.record.begun, begun.waiting,
            begun.registration == registration.json,
            isWithin(Self.patience, since: begun.asked)
        else { return false }
        return try hashes(registration, state).token == begun.token
    }

    /// Answers a challenge that a push has brought.
    func challenged(with content: ChallengeContent, _ state: inout State) throws(PushCryptError)
        -> Action
    {
        state.record.arrival = RegistrationRecord.Arrival(
            date: RegistrationRecord.seconds(now) ?? 0)
        if state.record.begun == nil {
            // The server asks for a new proof of the registration that it has confirmed.
            guard isDue(after: state.record.answered) else { return .end }
            _ = try rotation.prepare(&state.keyring, at: now, isCreating: false)
            // If the answer is lost, the next launch registers.
            try record(rotation.registration(of: state.keyring), &state)
        }
        return try prove(content, as: .proof, &state) ?? .end
    }

    /// Records that a challenge can't be opened.
    func challengeNotOpened(_ code: PushCryptError.Code, _ state: inout State) -> Action {
        // While no registration waits, other pushes of the app may fail for reasons of their own.
        if state.record.begun != nil {
            let seconds = RegistrationRecord.seconds(now) ?? 0
            state.record.arrival = RegistrationRecord.Arrival(date: seconds, problem: code.rawValue)
        }
        return .end
    }

    /// Answers the next stored challenge, the newest first; returns `nil` if there is none.
    ///
    /// A request in another account may have caused some of them, and only the server can tell them
    /// apart.
    func proveNext(_ state: inout State) throws(PushCryptError) -> Action? {
        let challenges = state.conversation.challenges.prefix(Self.visibleChallenges)
        guard let content = challenges.first else { return nil }
        state.conversation.challenges = Array(challenges.dropFirst())
        return try prove(content, as: .storedProof, &state)
    }

    /// Sends the proof for the registration that the device has begun; returns `nil` if it has
    /// begun none.
    private func prove(
        _ content: ChallengeContent, as request: Request, _ state: inout State
    ) throws(PushCryptError) -> Action? {
        guard let begun = state.record.begun else { return nil }
        let registration = try Registration(parsing: begun.registration)
        guard try hashes(registration, state).token == begun.token else {
            // Another token or account since then.
            return try settle(&state)
        }
        state.record.answered = RegistrationRecord.seconds(now)
        state.conversation.sent = registration
        state.conversation.request = request
        state.conversation.hasAsked = true
        let token = state.conversation.token
        let proof = try ProofComputation.proof(
            nonce: content.nonce, digest: ProofComputation.digest(of: begun.registration),
            token: carrier.stored(token), account: account)
        return .send(
            RegistrationRequest(
                registration: begun.registration, deviceToken: token, carrier: carrier,
                proof: RegistrationProof(expiry: content.expiry, bytes: proof)))
    }
}
