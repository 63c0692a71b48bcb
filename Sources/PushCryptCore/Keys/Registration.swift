#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The public key that a device registers with its server, and its generation.
///
/// As JSON, it is `{"created":1767225600,"generation":3,"key":{…}}`, with the key as a public JWK. It contains no secret,
/// but an attacker who can replace it makes the server seal for the attacker's key. Send it in an authenticated request.
///
/// ```swift
/// func register(_ body: [UInt8], replacing known: Registration?) throws -> Registration {
///     let registration = try Registration(parsing: body)
///     if let known, known.generation > registration.generation { return known }
///     return registration
/// }
/// ```
public struct Registration: Sendable, Hashable {
    /// The public key of the device.
    public let key: RecipientPublicKey

    /// The number of the registration, which grows with every change on the device.
    public let generation: UInt64

    /// The time of the key's creation by the clock of the device, in whole seconds.
    public let created: Date

    /// Creates a registration.
    package init(key: RecipientPublicKey, generation: UInt64, created: Date) {
        self.key = key
        self.generation = generation
        self.created = created
    }

    /// Parses a registration.
    ///
    /// - Parameter text: the JSON in UTF-8.
    /// - Throws: ``PushCryptError`` with `malformedRegistration`, `malformedJWK`, `wrongKeyType` or `invalidKey`.
    public init(parsing text: some UTF8Text) throws(PushCryptError) {
        let json = text.utf8Bytes
        let document = try JSONDocument(scanning: json.span, "registration", orThrow: .malformedRegistration)
        guard let member = document.member("key", in: json.span), member.kind == .object else {
            throw PushCryptError(
                .malformedRegistration, "\"key\" is missing or is not a JWK. Send the registration unchanged.")
        }
        let jwk = try JWK(json.span, document, member)
        guard jwk.privateKey == nil else {
            throw PushCryptError(
                .malformedRegistration,
                "The registration contains a private key. Treat the key as compromised, and create a new one.")
        }
        key = try RecipientPublicKey(jwk)
        generation = try document.integer(
            "generation", of: document.root, in: json.span, orThrow: .malformedRegistration)
        created = Date(
            timeIntervalSince1970: TimeInterval(
                try document.integer("created", of: document.root, in: json.span, orThrow: .malformedRegistration)))
        guard generation > 0 else {
            throw PushCryptError(
                .malformedRegistration, "\"generation\" is 0. Send a registration with a generation of at least 1.")
        }
    }

    /// The registration as JSON, for the request to the server.
    public var json: String {
        #"{"created":\#(created.secondsSince1970),"generation":\#(generation),"key":\#(key.jwk)}"#
    }
}
