public import PushCryptCore
public import PushCryptFoundation
public import PushCryptKeyring
internal import PushCryptPayload

/// A device in the database of a server: its device token, its account and its registered key.
///
/// ```swift
/// func update(_ stored: Recipient?, token: String, account: String, body: Data) throws -> Recipient {
///     try Recipient(
///         registration: Registration(parsing: body), deviceToken: token, account: account, replacing: stored)
/// }
/// ```
///
/// Store the recipient after each registration, for example as JSON in one column:
///
///     {"account":"anna","deviceToken":"0a…","registration":{"created":…,"generation":3,"key":{…},"lifetime":604800}}
///
/// If the initializer throws, keep the stored one. To reset a device, delete its row.
public struct Recipient: PushRecipient, Sendable, Hashable {
    /// The APNs device token, in lowercase hexadecimal digits.
    public let deviceToken: String

    /// The account of the request that registered the device; empty for a server without accounts.
    public let account: String

    /// The registration of the device.
    public let registration: Registration

    /// The public key of the device.
    public var key: RecipientPublicKey { registration.key }

    /// The longest lifetime of messages to the device, in seconds.
    public var lifetime: TimeInterval { registration.lifetime }

    /// Creates a recipient from a registration, if its generation is plausible after the stored one.
    ///
    /// The first generation may be up to 2^52, and each later one up to 2^32 above the stored one. So a forged registration
    /// doesn't use up the generations of the device.
    ///
    /// - Parameters:
    ///   - registration: the registration from an authenticated request.
    ///   - deviceToken: the APNs device token in hexadecimal digits.
    ///   - account: the account that the request was authenticated for.
    ///   - stored: the stored recipient of this token, in lowercase, and this account; `nil` for a new device.
    /// - Throws: ``PushCryptError`` with `staleGeneration` if the registration is older or implausibly new, or if it has
    ///   another key under the same generation. Answer with the stored generation, or with 0. With `malformedRegistration`
    ///   if the token is malformed, or if the token or the account isn't the stored one.
    public init(
        registration: Registration, deviceToken: String, account: String = "", replacing stored: Recipient? = nil
    ) throws(PushCryptError) {
        try self.init(registration, deviceToken, account)
        guard stored == nil || stored?.deviceToken == self.deviceToken && stored?.account == account else {
            throw PushCryptError(
                .malformedRegistration,
                "The stored recipient has another device token or account. Look it up by both.")
        }
        let (fresh, known) = (registration.generation, stored?.registration.generation ?? 0)
        let limit = stored == nil ? 1 << 52 : known + Registration.maximumGrowth
        guard (known...limit).contains(fresh) else {
            throw PushCryptError(
                .staleGeneration,
                "The registration has generation \(fresh), but \(known) is stored. Keep the stored recipient, and answer"
                    + " with its generation.")
        }
        guard fresh > known || registration.key == stored?.key && registration.lifetime == stored?.lifetime else {
            throw PushCryptError(
                .staleGeneration,
                "Another key or lifetime is stored for generation \(fresh). Register the device again.")
        }
    }

    private init(_ registration: Registration, _ deviceToken: String, _ account: String) throws(PushCryptError) {
        let token = deviceToken.lowercased()
        guard Self.isDeviceToken(token) else {
            throw PushCryptError(
                .malformedRegistration, "The device token isn't valid. Give 16 to 200 bytes in hexadecimal digits.")
        }
        self.deviceToken = token
        self.account = account
        self.registration = registration
    }

    /// Returns whether a text is 16 to 200 bytes in hexadecimal digits: Apple doesn't document a length.
    package static func isDeviceToken(_ text: String) -> Bool {
        (32...400).contains(text.utf8.count) && text.utf8.count.isMultiple(of: 2)
            && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    }
}

/// A device that a payload is sealed for: a ``Recipient``, a ``Registration``, a public key alone, or your own type.
public protocol PushRecipient {
    /// The public key of the device.
    var key: RecipientPublicKey { get }

    /// The longest lifetime of messages to the key, in seconds, to which the sealer shortens its own.
    var lifetime: TimeInterval { get }
}

extension Registration: PushRecipient {}

extension RecipientPublicKey: PushRecipient {
    /// The key itself.
    public var key: RecipientPublicKey { self }

    /// 30 days, because a public key alone doesn't limit the lifetime.
    public var lifetime: TimeInterval { TimeInterval(KeyLifetime.range.upperBound) }
}

extension Recipient: Codable {
    private enum CodingKeys: CodingKey {
        case account, deviceToken, registration
    }

    /// Decodes a stored recipient, with the checks of a new one.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let registration = try members.decode(JSONValue.self, forKey: .registration)
        try self.init(
            Registration(parsing: registration.json()), members.decode(String.self, forKey: .deviceToken),
            members.decode(String.self, forKey: .account))
    }

    /// Encodes the recipient for the database.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(account, forKey: .account)
        try members.encode(deviceToken, forKey: .deviceToken)
        try members.encode(JSONValue(parsing: registration.json), forKey: .registration)
    }
}
