#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a device tells its server so that the server can seal for it: a public key, and how new it is.
///
/// As JSON it is `{"created":1767225600,"generation":3,"key":{…}}`, with the key as a public JWK. Nothing in it is secret, but
/// whoever can write it makes the server seal for somebody else: it belongs into an authenticated request.
public struct Registration: Sendable, Hashable {
    /// The public key.
    public let key: RecipientPublicKey

    /// Grows with every change on the device: of two registrations the one with the higher number is the newer.
    public let generation: UInt64

    /// When the key was made, to the second, by the device's clock.
    public let created: Date

    /// Puts a registration together.
    ///
    /// - Parameters:
    ///   - key: the public key.
    ///   - generation: the keyring's generation.
    ///   - created: when the key was made.
    package init(key: RecipientPublicKey, generation: UInt64, created: Date) {
        self.key = key
        self.generation = generation
        self.created = created
    }

    /// Reads a registration.
    ///
    /// - Parameter text: the JSON in UTF-8.
    /// - Throws: ``PushCryptError`` with `malformedRegistration`, `malformedJWK`, `wrongKeyType` or `invalidKey`.
    public init(parsing text: some UTF8Text) throws(PushCryptError) {
        let json = text.utf8Bytes
        let document: JSONDocument
        do throws(PushCryptError) {
            document = try JSONDocument(scanning: json.span)
        } catch {
            throw PushCryptError(.malformedRegistration, "The registration is not one strict JSON object.")
        }
        guard let member = document.member("key", in: json.span), member.kind == .object else {
            throw PushCryptError(.malformedRegistration, "The registration has no \"key\" that is a JWK.")
        }
        let jwk = try JWK(json.span, document, member)
        guard jwk.privateKey == nil else {
            throw PushCryptError(
                .malformedRegistration,
                "The registration has a private key. Take it for lost, and have the device make a new one.")
        }
        try jwk.require(.x25519)
        key = try RecipientPublicKey(rawRepresentation: jwk.publicKey.array)
        generation = try Self.number("generation", json, document)
        created = Date(timeIntervalSince1970: TimeInterval(try Self.number("created", json, document)))
        guard generation > 0 else {
            throw PushCryptError(.malformedRegistration, "A registration's \"generation\" is at least 1.")
        }
    }

    /// The registration as JSON, to be sent to the server.
    public var json: String {
        #"{"created":\#(ExactInteger.seconds(created)),"generation":\#(generation),"key":\#(key.jwk)}"#
    }

    private static func number(
        _ name: String, _ json: [UInt8], _ document: JSONDocument
    ) throws(PushCryptError) -> UInt64 {
        guard let number = document.integer(document.member(name, in: json.span), in: json.span),
            number <= ExactInteger.maximum
        else {
            throw PushCryptError(
                .malformedRegistration, "The registration needs a whole number \"\(name)\", and lacks it.")
        }
        return number
    }
}
