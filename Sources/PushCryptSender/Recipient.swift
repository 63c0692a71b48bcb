public import PushCryptCore

/// A device in the database of a server: its device token and its registered key.
///
/// ```swift
/// func update(_ stored: Recipient?, token: String, body: Data) throws -> Recipient {
///     try Recipient(registration: Registration(parsing: body), deviceToken: token, replacing: stored)
/// }
/// ```
///
/// Store the recipient after each registration. If the initializer throws, keep the stored one.
public struct Recipient: Sendable, Hashable {
    /// The APNs device token, in lowercase hexadecimal digits.
    public let deviceToken: String

    /// The registration of the device.
    public let registration: Registration

    /// The public key of the device.
    public var key: RecipientPublicKey { registration.key }

    /// Creates a recipient from a registration, if the registration isn't older than the stored one.
    ///
    /// - Parameters:
    ///   - registration: the registration from an authenticated request, or from the database.
    ///   - deviceToken: the APNs device token in hexadecimal digits.
    ///   - stored: the recipient that the server has stored for this token; `nil` for a new device.
    /// - Throws: ``PushCryptError`` with `staleGeneration` if the registration is older, or if it has another key under the
    ///   same generation; with `malformedRegistration` if the token is malformed or isn't the stored one.
    public init(
        registration: Registration, deviceToken: String, replacing stored: Recipient? = nil
    ) throws(PushCryptError) {
        let token = deviceToken.lowercased()
        // Apple doesn't document a length. The usual length is 32 bytes.
        let isHexadecimal = token.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard isHexadecimal, token.utf8.count.isMultiple(of: 2), (32...400).contains(token.utf8.count) else {
            throw PushCryptError(
                .malformedRegistration, "The device token isn't hexadecimal. Give two digits for each of its bytes.")
        }
        self.deviceToken = token
        self.registration = registration
        guard let stored else { return }
        guard stored.deviceToken == token else {
            throw PushCryptError(
                .malformedRegistration,
                "The stored recipient has another device token. Look it up by the token of the registration.")
        }
        guard registration.generation >= stored.registration.generation else {
            throw PushCryptError(
                .staleGeneration,
                "The registration has generation \(registration.generation), but \(stored.registration.generation) is stored."
                    + " Keep the stored recipient.")
        }
        guard registration.generation > stored.registration.generation || registration.key == stored.key else {
            throw PushCryptError(
                .staleGeneration,
                "Another key is stored for generation \(registration.generation). Register the device again.")
        }
    }
}
