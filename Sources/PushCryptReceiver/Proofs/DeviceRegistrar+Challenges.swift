internal import Foundation
internal import PushCryptCore
internal import PushCryptKeyring

// The device's part of a proof: section 14 of the format.
extension DeviceRegistrar {
    /// The time in seconds for which the registrar waits for a challenge, before it asks for a visible one.
    static let patience: TimeInterval = 3600

    /// Returns whether the server has sent a challenge for the registration within the last hour.
    func isAwaitingChallenge(for registration: Registration, _ token: String) throws(PushCryptError) -> Bool {
        guard let begun = try state.read().begun, begun.isWaiting else { return false }
        let hash = try registered(registration, token).token
        let isSame = begun.registration == registration.json && begun.token == hash
        // The range excludes a request from the future: the clock was set back.
        return isSame && (0..<Self.patience).contains(time.now.timeIntervalSince1970 - TimeInterval(begun.asked))
    }

    /// The number of visible challenges that a server sends to a token within 24 hours.
    private static let visibleChallenges = 3

    /// Answers the challenges of this account that the extension has stored for the begun registration, the newest
    /// first, until the server accepts one.
    ///
    /// A request in another account may have caused some of them, and only the server can tell them apart.
    ///
    /// - Returns: The error of the last answer; `nil` if there was nothing to answer, or the server has responded.
    ///   After an error, the device may have to register again, because only the server knows if the challenge has
    ///   expired.
    func answerStoredChallenge(_ token: String, with send: SendRegistration) async throws -> (any Error)? {
        guard let challenges, let begun = try state.read().begun else { return nil }
        let stored = (try? challenges.values(since: Date(timeIntervalSince1970: TimeInterval(begun.since)))) ?? []
        let own = stored.filter { challenge(in: $0) != nil }
        var failure: (any Error)?
        for content in own.prefix(Self.visibleChallenges).compactMap(challenge) {
            do {
                try await answer(content, token, with: send)
            } catch {
                failure = error
                // After a confirmation or another registration, the other challenges prove nothing.
                guard try state.read().begun == begun else { return error }
                continue
            }
            for value in own { try? challenges.remove(value) }
            return nil
        }
        return failure
    }

    /// Returns the challenge in a sealed value; `nil` if it is another message, or of another account.
    ///
    /// The signer is checked as for any push. A challenge can be opened any number of times: the server judges its age.
    func challenge(in value: SealedValue) -> ChallengeContent? { try? open(value) }

    private func open(_ value: SealedValue) throws(PushCryptError) -> ChallengeContent {
        let opener = Opener(keys: store, senderPolicy: senderPolicy, time: time)
        return try ChallengeContent(parsing: opener.open(value, as: [.challenge]).payload)
    }

    /// Returns the challenge in the sealed value of a background push, and records its arrival or the error for which
    /// it can't be opened.
    ///
    /// - Returns: The challenge; `nil` if the push is another message, of another account, or can't be opened.
    func arrivedChallenge(in value: SealedValue) throws(PushCryptError) -> ChallengeContent? {
        let now = time.now
        do throws(PushCryptError) {
            let content = try open(value)
            try state.update { $0.arrived(at: now) }
            return content
        } catch {
            // While no registration waits, other pushes of the app may fail for reasons of their own.
            let isOther = [.wrongKind, .unknownKey, .wrongAccount].contains(error.code)
            guard !isOther, try state.read().begun != nil else { return nil }
            try state.update { $0.arrived(at: now, problem: error.code) }
            return nil
        }
    }

    /// Answers a challenge, for the registration that the device has begun or begins now.
    ///
    /// - Returns: A Boolean value that indicates whether the server was asked.
    @discardableResult
    func answer(_ content: ChallengeContent, _ token: String, with send: SendRegistration) async throws -> Bool {
        guard let begun = try state.read().begun ?? beginAgain(token) else { return false }
        let registration = try Registration(parsing: begun.registration)
        guard try registered(registration, token).token == begun.token else {
            // Another token or account since then.
            try await confirm(keys().prepare(isCreating: false).registration, token, with: send)
            return true
        }
        let now = time.now
        try state.update { $0.answered = Int64(exactly: now.timeIntervalSince1970.rounded(.down)) }
        let proof = try ProofComputation.proof(
            nonce: content.nonce, digest: ProofComputation.digest(of: begun.registration),
            token: carrier.stored(token), account: account)
        let response = try await send(
            RegistrationRequest(
                registration: begun.registration, deviceToken: token, carrier: carrier,
                proof: RegistrationProof(expiry: content.expiry, bytes: proof)))
        if case .stale(let generation) = response.kind {
            try keys().followGeneration(generation, rejecting: registration)
            try await confirm(keys().registration(), token, with: send)
            return true
        }
        let confirmation = try record(response, to: registration, token)
        // The keys or the accepted keys may have changed since then.
        let next = try keys().prepare(isCreating: false).registration
        if !confirmation.isChallenged, try !isKnown(next, token) { try await confirm(next, token, with: send) }
        if let failure = confirmation.failure { throw failure }
        return true
    }

    /// Begins the registration again that the server has confirmed, because a challenge asks for a new proof.
    ///
    /// - Returns: The registration; `nil` if the device has answered a challenge within the last hour.
    private func beginAgain(_ token: String) throws -> RegistrationState.Begun? {
        let registration = try keys().prepare(isCreating: false).registration
        let hash = try registered(registration, token).token
        let now = time.now
        var begun: RegistrationState.Begun?
        try state.update { contents in
            guard Self.isDue(after: contents.answered, at: now) else { return }
            // If the answer is lost, the next launch registers.
            contents.confirmed = nil
            _ = contents.begin(registration.json, token: hash, at: now)
            begun = contents.begun
        }
        return begun
    }
}
