public import PushCryptCore
public import PushCryptFoundation
public import PushCryptKeyring
public import PushCryptPayload

/// A challenge to a device: a sealed push that only the device with the registered key and token
/// can answer.
///
/// The server stores nothing for it. ``ProofOfPossession`` creates challenges and checks their
/// answers.
///
/// ```swift
/// func push(
///     _ challenge: RegistrationChallenge, for request: RegistrationRequest
/// ) throws -> SealedPush {
///     guard request.wantsVisibleChallenge else { return try challenge.seal(with: sealer) }
///     let alert = Payload(title: "Almost done", body: "Open the app to receive notifications.")
///     return try challenge.seal(with: sealer, displaying: alert.aps)
/// }
/// ```
///
/// Source: section 14 of the format.
public struct RegistrationChallenge: Sendable {
    /// The time until which the server accepts the answer.
    public let expiration: Date

    /// The registration whose key the challenge is sealed for.
    public let registration: Registration

    /// The app's bundle ID.
    public let topic: String

    /// The carrier of the device token.
    public let carrier: Carrier

    private let content: ChallengeContent

    /// The collapse ID of a visible challenge, so that a device displays one at most.
    static let collapseID = "pushcrypt-challenge"

    /// Creates a challenge for a registration.
    ///
    /// - Parameters:
    ///   - request: The device's request.
    ///   - account: The server's name of the account that the request was authenticated for.
    ///   - topic: The app's bundle ID.
    ///   - secrets: The server's secrets. The current one is used.
    ///   - expiration: The time until which the server accepts the answer, in whole seconds.
    /// - Throws: ``PushCryptError`` with `malformedRegistration` or another code of a registration.
    public init(
        for request: RegistrationRequest, account: String, topic: String, secrets: ChallengeSecrets,
        expiration: Date
    ) throws(PushCryptError) {
        registration = try Registration(parsing: request.registration)
        self.topic = topic
        carrier = request.carrier
        let expiry = min(expiration.secondsSince1970, JSONDocument.maximumInteger)
        let inputs = try ProofComputation.Inputs(
            request, account: account, topic: topic, expiry: expiry)
        content = ChallengeContent(
            nonce: try ProofComputation.nonce(for: inputs, secret: secrets.current), expiry: expiry)
        self.expiration = Date(timeIntervalSince1970: TimeInterval(expiry))
    }

    /// Seals the challenge for the registered key.
    ///
    /// - Parameters:
    ///   - sealer: The server's sealer. Its lifetime is shortened to the challenge's.
    ///   - aps: The content of a visible challenge, which the device displays; `nil` for a silent
    ///     background push.
    /// - Returns: The push to send to the registered token.
    /// - Throws: ``PushCryptError`` as `Sealer.prepare(json:headers:as:)` does, `noAcceptedKey`, or
    ///   `wrongCarrier` if the sealer is for another carrier.
    public func seal(with sealer: Sealer, displaying aps: Payload.APS? = nil) throws(PushCryptError)
        -> SealedPush
    {
        guard sealer.carrier == carrier else {
            throw PushCryptError(
                .wrongCarrier,
                "The challenge is for a token of \(carrier), but the sealer isn't. Set its carrier."
            )
        }
        var sealer = sealer
        sealer.proofs = .notRequired
        sealer.exposedKeys = []
        let remaining = expiration.timeIntervalSince(sealer.time.now)
        sealer.lifetime = max(1, min(sealer.lifetime, remaining.rounded(.down)))
        var headers = APNsHeaders(aps == nil ? .background : .alert, topic: topic)
        if aps != nil, CarrierProfile(carrier).hasCollapseID {
            headers.collapseID = Self.collapseID
        }
        return try sealer.seal(
            payload(displaying: aps), for: registration, headers: headers, as: .challenge)
    }

    private func payload(displaying aps: Payload.APS?) -> Payload {
        var payload = Payload(aps: aps)
        payload.custom["challenge"] = .string(Base64URL.encode(content.nonce))
        payload.custom["expires"] = .number(JSONNumber(content.expiry))
        return payload
    }
}

extension RegistrationChallenge: CustomStringConvertible, Redacted {
    /// The end of the challenge, without its nonce.
    public var description: String { "RegistrationChallenge until \(expiration.secondsSince1970)" }
}
