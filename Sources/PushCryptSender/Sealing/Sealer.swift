public import PushCryptCore
public import PushCryptFoundation
public import PushCryptKeyring

/// A sealer of APNs payloads.
///
/// ```swift
/// let sealer = Sealer(.signed(by: keyring))
/// let headers = APNsHeaders(topic: "com.example.app")
/// let push = try sealer.seal(json: json, for: device, headers: headers)
/// ```
public struct Sealer: Sendable {
    /// The authentication of the sender.
    public var authentication: SenderAuthentication

    /// The period in seconds for which devices open the message: from 1 second to 30 days, by
    /// default 7 days.
    ///
    /// The recipient's lifetime shortens it. Devices add a tolerance: the lifetime again, but at
    /// least 5 minutes and at most 48 hours. The sealer sets `apns-expiration` to the end of the
    /// lifetime.
    public var lifetime: TimeInterval

    /// The padding that hides the length of the original.
    public var padding: Padding

    /// The readable alert that the device displays if no extension opens the message.
    public var placeholder: Placeholder

    /// The keys of the original's `aps` that APNs can read.
    public var exposedKeys: Set<ExposedKey>

    /// The parts of the alert that the sealer may truncate if the payload is too long, in this
    /// order.
    ///
    /// Each part loses as few characters as possible and ends with `…`. The alert of a Live
    /// Activity isn't sealed and is never truncated.
    public var truncatableFields: [AlertField]

    /// The rules that don't apply, for values that Apple added after this release.
    ///
    /// The sealer always applies the rules that the format requires of every sender, such as
    /// `no-alert-text`.
    public var ignoredRules: Set<Rule.ID>

    /// The requirement that recipients have proved that their key and their device token belong
    /// together.
    ///
    /// Set it to ``ProofOfPossession/requirement`` if your server asks for proofs; otherwise
    /// ``ProofRequirement/notRequired``, the default.
    public var proofs: ProofRequirement

    /// The carrier that the payload is sealed for; ``Carrier/apns`` by default.
    ///
    /// It decides the longest payload and the push types. Devices with a token of another carrier
    /// are rejected. ``SealedPush/request(to:appID:)`` returns the carrier's request.
    public var carrier: Carrier

    /// The source of the time of issue.
    package var time: any TimeSource

    /// Creates a sealer with its properties, and with the source of the time of issue.
    public init(
        _ authentication: SenderAuthentication, lifetime: TimeInterval = 7 * 24 * 3600,
        padding: Padding = .buckets,
        placeholder: Placeholder = .standard, exposedKeys: Set<ExposedKey> = [],
        truncatableFields: [AlertField] = [],
        ignoredRules: Set<Rule.ID> = [], proofs: ProofRequirement = .notRequired,
        carrier: Carrier = .apns,
        time: any TimeSource = SystemTime()
    ) {
        self.authentication = authentication
        self.lifetime = lifetime
        self.padding = padding
        self.placeholder = placeholder
        self.exposedKeys = exposedKeys
        self.truncatableFields = truncatableFields
        self.ignoredRules = ignoredRules
        self.proofs = proofs
        self.carrier = carrier
        self.time = time
    }

    // MARK: Payloads as JSON

    /// Checks and pads a payload, which is the work that all devices share.
    ///
    /// - Parameters:
    ///   - json: The original payload in UTF-8. The device gets it byte for byte, without white
    ///     space between tokens.
    ///   - headers: The request headers.
    ///   - kind: `.voip` for an alert push whose extension starts a call; otherwise the kind of the
    ///     payload.
    /// - Returns: The payload, ready to be sealed for any number of devices.
    /// - Throws: ``PushCryptError`` with `malformedJSON`, `alreadySealed`, `invalidPayload`,
    ///   `noAlertText`, `notSealable`, `wrongKind`, `invalidPlaceholder`, `invalidHeader`,
    ///   `invalidLifetime` or `payloadTooLarge`.
    public func prepare(
        json: some UTF8Text, headers: APNsHeaders = APNsHeaders(), as kind: MessageKind? = nil
    ) throws(PushCryptError) -> PreparedPush {
        try PreparedPush(json.bytesForPushCrypt, headers, sealer: self, kind: kind)
    }

    /// Seals a payload for one device.
    ///
    /// - Parameters:
    ///   - json: The original payload in UTF-8.
    ///   - recipient: The device: its stored recipient, its registration or its public key.
    ///   - headers: The request headers.
    ///   - kind: `.voip` for an alert push whose extension starts a call; otherwise the kind of the
    ///     payload.
    /// - Returns: The push to send.
    /// - Throws: ``PushCryptError`` as ``prepare(json:headers:as:)`` does, and `sodiumUnavailable`.
    public func seal(
        json: some UTF8Text, for recipient: some SealTarget, headers: APNsHeaders = APNsHeaders(),
        as kind: MessageKind? = nil
    ) throws(PushCryptError) -> SealedPush {
        var push = try prepare(json: json, headers: headers, as: kind)
        return try push.sealInPlace(for: recipient)
    }

    // MARK: Payloads as values

    /// Checks and pads an encodable payload, which is the work that all devices share.
    ///
    /// `JSONEncoder` encodes the value with its default strategies: dates are seconds since 2001.
    /// For other strategies, encode the value yourself and use ``prepare(json:headers:as:)``.
    ///
    /// - Throws: ``PushCryptError`` as ``prepare(json:headers:as:)`` does, and `invalidPayload` if
    ///   the value can't be encoded.
    public func prepare(
        _ payload: some Encodable, headers: APNsHeaders = APNsHeaders(), as kind: MessageKind? = nil
    ) throws(PushCryptError) -> PreparedPush {
        guard !(payload is String || payload is Data || payload is [UInt8]) else {
            throw PushCryptError(
                .invalidPayload, "The value is JSON text. Give it with the label 'json:'.")
        }
        return try prepare(json: JSONText.encoded(payload), headers: headers, as: kind)
    }

    /// Seals an encodable payload for one device.
    ///
    /// ```swift
    /// let payload = Payload(
    ///     title: "Card payment", body: "You paid 12.50 €.", custom: ["link": "app://cards/1"])
    /// let push = try sealer.seal(payload, for: device)
    /// ```
    ///
    /// - Throws: ``PushCryptError`` as ``prepare(_:headers:as:)`` does, and `sodiumUnavailable`.
    public func seal(
        _ payload: some Encodable, for recipient: some SealTarget,
        headers: APNsHeaders = APNsHeaders(),
        as kind: MessageKind? = nil
    ) throws(PushCryptError) -> SealedPush {
        var push = try prepare(payload, headers: headers, as: kind)
        return try push.sealInPlace(for: recipient)
    }
}
