public import PushCryptCore
public import PushCryptFoundation
public import PushCryptKeyring

/// The server's part of proofs: accepts a registration only from the device that has its key and
/// its token.
///
/// Without it, a stolen session can register a foreign key under a device's token, or a foreign
/// device under an account.
///
/// ```swift
/// func decide(
///     _ body: Data, user: String, stored: Recipient?, proofs: ProofOfPossession
/// ) throws -> SealedPush? {
///     let request = try RegistrationRequest(parsing: body)
///     switch try proofs.decide(request, account: user, replacing: stored) {
///     case .accepted(let recipient):
///         print("Store \(recipient), and answer 204.")
///         return nil
///     case .challenged(let challenge):
///         // Send it to request.deviceToken, and answer 202.
///         return try challenge.seal(with: sealer)
///     }
/// }
/// ```
public struct ProofOfPossession: Sendable {
    /// The decision about a request.
    public enum Decision: Sendable {
        /// The registration is proved, or the stored one again. Store the recipient.
        case accepted(Recipient)
        /// The registration isn't proved, and changes nothing. Send the challenge to the request's
        /// token.
        case challenged(RegistrationChallenge)
    }

    /// The app's bundle ID.
    public let topic: String

    /// The time at which proofs were switched on.
    public let start: Date

    /// The time in seconds for which a challenge can be answered.
    public let challengeLifetime: TimeInterval

    /// The carriers that the server sends through.
    public let carriers: Set<Carrier>

    private let secrets: ChallengeSecrets

    /// Creates the server's part.
    ///
    /// - Parameters:
    ///   - topic: The app's bundle ID.
    ///   - secrets: The server's secrets of challenges.
    ///   - start: The time at which proofs were switched on. Rows from before are accepted for 30
    ///     days.
    ///   - challengeLifetime: The time in seconds for which a challenge can be answered; 24 hours
    ///     by default.
    ///   - carriers: The carriers that the server sends through. Requests that name another one are
    ///     rejected: a challenge must go through the carrier that the request names.
    public init(
        topic: String, secrets: ChallengeSecrets, start: Date,
        challengeLifetime: TimeInterval = 24 * 3600,
        carriers: Set<Carrier> = [.apns]
    ) {
        self.carriers = carriers
        self.topic = topic
        self.secrets = secrets
        self.start = start
        self.challengeLifetime = challengeLifetime.isFinite ? max(60, challengeLifetime) : 24 * 3600
    }

    /// The requirement for a sealer and a client: they reject recipients without a proof.
    public var requirement: ProofRequirement { .required(since: start) }

    /// Decides about a device's request.
    ///
    /// Call it in the transaction that stores the recipient.
    ///
    /// - Parameters:
    ///   - request: The request's body.
    ///   - account: The account that the request was authenticated for.
    ///   - stored: The stored recipient of this token and this account; `nil` for a new device.
    ///   - others: The other stored recipients of this account.
    ///   - date: The time of the request.
    /// - Returns: The decision.
    /// - Throws: ``PushCryptError`` as `Recipient.init` does, such as `staleGeneration`; or
    ///   `expiredChallenge` or `invalidProof` for an answer. The device registers again after these
    ///   two. With `wrongCarrier` if the server doesn't send through the carrier of the request.
    public func decide(
        _ request: RegistrationRequest, account: String, replacing stored: Recipient? = nil,
        others: [Recipient] = [], at date: Date = Date()
    ) throws(PushCryptError) -> Decision {
        let registration = try Registration(parsing: request.registration)
        guard carriers.contains(request.carrier) else {
            throw PushCryptError(
                .wrongCarrier,
                """
                The server doesn't send through the carrier of the request. Register another \
                token.
                """)
        }
        if let proof = request.proof {
            try check(proof, request, account: account, at: date)
        } else if let stored, stored.proved != nil, stored.registration == registration,
            stored.isAddressed(by: request, account: account)
        {
            return .accepted(try stored.repeated(at: date))
        }
        // Throws for a stale generation, which the device learns without a challenge, too.
        let recipient = try Recipient(
            registration: registration, deviceToken: request.deviceToken, carrier: request.carrier,
            account: account,
            registered: date, proved: request.proof == nil ? nil : date, replacing: stored,
            others: others)
        if request.proof != nil { return .accepted(recipient) }
        return .challenged(
            try RegistrationChallenge(
                for: request, account: account, topic: topic, secrets: secrets,
                expiration: date + challengeLifetime))
    }

    /// Throws if a proof isn't the one of a challenge that the server has issued.
    private func check(
        _ proof: RegistrationProof, _ request: RegistrationRequest, account: String, at date: Date
    ) throws(PushCryptError) {
        guard date < proof.expiration else {
            throw PushCryptError(
                .expiredChallenge, "The answer came after its challenge's expiry. Register again.")
        }
        let inputs = try ProofComputation.Inputs(
            request, account: account, topic: topic, expiry: proof.expiry)
        var isValid = false
        for secret in secrets.all {
            let nonce = try ProofComputation.nonce(for: inputs, secret: secret)
            let expected = try ProofComputation.proof(
                nonce: nonce, digest: inputs.digest, token: inputs.token, account: account)
            if ConstantTime.isEqual(expected, proof.bytes) { isValid = true }
        }
        guard isValid else {
            throw PushCryptError(
                .invalidProof,
                """
                The proof doesn't fit the registration, the device token or the account. Register \
                again.
                """)
        }
    }
}
