internal import Foundation
internal import PushCryptCore
internal import PushCryptKeyring

// The conversation with the server: a registration, its response, and the registration that follows from it.
extension DeviceRegistrar {
    /// The result of one conversation.
    struct Confirmation: Sendable {
        /// The error of a list of accepted keys.
        var failure: PushCryptError?
        /// A Boolean value that indicates whether the server has sent a challenge instead.
        let isChallenged: Bool
    }

    /// Registers, and registers again if the keys or the accepted keys change by the response.
    ///
    /// By the server's time, a new key may be due, and retired keys may have expired. The accepted keys may have
    /// changed, twice if the server has changed its list meanwhile.
    ///
    /// - Throws: The error of a list of accepted keys, after everything is recorded, or what stops the registration.
    func confirm(_ registration: Registration, _ token: String, with send: SendRegistration) async throws {
        var confirmation = try await confirmOnce(registration, token, with: send)
        for _ in 0..<2 {
            let next = try keys().prepare(isCreating: false).registration
            let isSettled =
                try confirmation.isChallenged ? isAwaitingChallenge(for: next, token) : isKnown(next, token)
            if isSettled { break }
            let failure = confirmation.failure
            confirmation = try await confirmOnce(next, token, with: send)
            confirmation.failure = confirmation.failure ?? failure
        }
        if let failure = confirmation.failure { throw failure }
    }

    /// Sends a registration, and records its confirmation and the lists of accepted keys.
    private func confirmOnce(
        _ registration: Registration, _ token: String, with send: SendRegistration
    ) async throws -> Confirmation {
        var registration = registration
        var response = try await begin(registration, token, with: send)
        if case .stale(let generation) = response.kind {
            try keys().followGeneration(generation, rejecting: registration)
            // Another call may have rotated the key meanwhile.
            registration = try keys().registration()
            response = try await begin(registration, token, with: send)
        }
        return try record(response, to: registration, token)
    }

    /// Sends a registration, and remembers that the device has begun it.
    private func begin(
        _ registration: Registration, _ token: String, with send: SendRegistration
    ) async throws -> RegistrationResponse {
        let text = registration.json
        let now = time.now
        let hash = try registered(registration, token).token
        var wantsVisible = false
        try state.update { contents in
            // If the answer is lost, the server may have stored this registration instead of the last confirmed one.
            contents.confirmed = nil
            wantsVisible = contents.begin(text, token: hash, at: now)
        }
        return try await send(
            RegistrationRequest(
                registration: text, deviceToken: token, carrier: carrier, wantsVisibleChallenge: wantsVisible))
    }

    /// Records the server's response to a registration, or to its proof.
    func record(
        _ response: RegistrationResponse, to registration: Registration, _ token: String
    ) throws -> Confirmation {
        let now = time.now
        if let date = response.date { try recordClock(date, at: now) }
        switch response.kind {
        case .stale:
            throw PushCryptError(
                .staleGeneration,
                """
                The server rejected a registration with a newer generation than its own. Check the server's comparison.
                """)
        case .challenged:
            try state.update { contents in
                contents.begun?.challenges += 1
                contents.begun?.isWaiting = true
            }
            let failure = try keys().addSignerLists(response.signerLists, at: response.date ?? now)
            return Confirmation(failure: failure, isChallenged: true)
        case .accepted:
            try keys().confirm(registration, serverTime: response.date)
            let confirmed = try registered(registration, token)
            // Before the confirmation is recorded: if the app ends in between, the next start asks for the lists again.
            let failure = try keys().addSignerLists(response.signerLists, at: response.date ?? now)
            try state.update { $0.confirm(confirmed, at: now) }
            return Confirmation(failure: failure, isChallenged: false)
        }
    }

    /// Records the difference of the clocks, for ``PushInbox/diagnose(token:account:)``.
    private func recordClock(_ date: Date, at now: Date) throws(PushCryptError) {
        let difference = Int64(exactly: date.timeIntervalSince(now).rounded())
        try state.update { $0.clock = difference }
    }

    // MARK: State

    func registered(
        _ registration: Registration, _ token: String
    ) throws(PushCryptError) -> RegistrationState.Registered {
        try RegistrationState.Registered(
            registration, token: token, from: carrier, account: account, roots: senderPolicy.roots)
    }

    /// Returns whether the server has confirmed the registration recently.
    func isKnown(_ registration: Registration, _ token: String) throws(PushCryptError) -> Bool {
        let registered = try registered(registration, token)
        let contents = try state.read()
        guard contents.registered == registered, let confirmed = contents.confirmed else { return false }
        // The range excludes a confirmation from the future: the clock was set back.
        return (0..<Self.week).contains(time.now.timeIntervalSince1970 - TimeInterval(confirmed))
    }
}
