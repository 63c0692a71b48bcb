public import PushCryptCore
public import PushCryptFoundation

/// The public key that a device registers with its server, and its generation.
///
/// As JSON, it is
/// `{"created":1767225600,"generation":3,"key":{…},"lifetime":604800,"signers":["…"]}`. Send it in
/// an authenticated request: an attacker who can replace it makes the server seal for the
/// attacker's key.
///
/// ```swift
/// func lifetime(of body: String) throws -> TimeInterval {
///     try Registration(parsing: body).lifetime
/// }
/// ```
public struct Registration: Sendable, Hashable {
    /// The public key of the device.
    public let key: RecipientPublicKey

    /// The number of the registration, which grows with every change on the device.
    public let generation: UInt64

    /// The time of the key's creation by the clock of the device, in whole seconds.
    public let created: Date

    /// The longest lifetime of messages to the key, in seconds: from 1 second to 30 days.
    public let lifetime: TimeInterval

    /// The keys from which the device accepts signatures; `nil` if the app doesn't tell.
    ///
    /// A sealer with a keyring signs with the first of its keys that is among these.
    public let signers: AcceptedSigners?

    /// The largest growth of a device's generation that a server accepts in one registration, so
    /// that a forged one can't use up all generations.
    package static let maximumGrowth: UInt64 = 1 << 32

    /// Creates a registration.
    package init(
        key: RecipientPublicKey, generation: UInt64, created: Date,
        lifetime: UInt64 = KeyLifetime.range.upperBound,
        signers: AcceptedSigners? = nil
    ) {
        self.key = key
        self.generation = generation
        self.created = created
        self.lifetime = TimeInterval(lifetime)
        self.signers = signers
    }

    /// Parses a registration.
    ///
    /// - Parameter text: The JSON in UTF-8.
    /// - Throws: ``PushCryptError`` with `malformedRegistration`, `malformedJWK`, `wrongKeyType` or
    ///   `invalidKey`.
    public init(parsing text: some UTF8Text) throws(PushCryptError) {
        let json = text.bytesForPushCrypt
        let document = try JSONDocument(
            scanning: json.span, "registration", orThrow: .malformedRegistration)
        guard let member = document.member("key", in: json.span), member.kind == .object else {
            throw PushCryptError(
                .malformedRegistration,
                "\"key\" is missing or is not a JWK. Send the registration unchanged.")
        }
        let jwk = try JWK(json.span, document, of: member)
        guard jwk.privateKey == nil else {
            throw PushCryptError(
                .malformedRegistration,
                """
                The registration contains a private key. Treat the key as compromised, and create \
                a new one.
                """)
        }
        key = try RecipientPublicKey(jwk)
        generation = try document.integer(
            "generation", of: document.root, in: json.span, from: 1...JSONDocument.maximumInteger,
            orThrow: .malformedRegistration)
        created = try document.date(
            "created", of: document.root, in: json.span, orThrow: .malformedRegistration)
        lifetime = TimeInterval(
            try document.integer(
                "lifetime", of: document.root, in: json.span, from: KeyLifetime.range,
                orThrow: .malformedRegistration))
        signers = try AcceptedSigners(of: document.root, document, in: json.span)
    }

    /// The registration as JSON, for the request to the server.
    public var json: String {
        #"{"created":\#(created.secondsSince1970),"generation":\#(generation),"key":\#(key.jwk),"#
            + #""lifetime":\#(UInt64(lifetime))"#
            + (signers.map { #","signers":"# + $0.json } ?? "") + "}"
    }
}
