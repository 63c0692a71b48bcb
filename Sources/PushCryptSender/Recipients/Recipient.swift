public import PushCryptCore
public import PushCryptFoundation
public import PushCryptKeyring

/// A device in the database of a server: its device token, its account, and its registered key with the date.
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
///     {"account":"anna","deviceToken":"0a…","registered":1767225600000,
///      "registration":{"created":…,"generation":3,"key":{…},"lifetime":604800}}
///
/// If the initializer throws, keep the stored one. To reset a device, delete its row.
public struct Recipient: SealTarget, Sendable, Hashable {
    /// The APNs device token, in lowercase hexadecimal digits.
    public let deviceToken: String

    /// The account of the request that registered the device; empty for a server without accounts.
    public let account: String

    /// The time of the registration by the clock of the server, in whole milliseconds.
    ///
    /// If APNs answers `Unregistered`, delete the recipient only if this date is earlier than the answer's timestamp.
    /// Otherwise the app has registered again in the meantime.
    ///
    /// Source: Apple, "Handling notification responses from APNs".
    public let registered: Date

    /// The registration of the device.
    public let registration: Registration

    /// The public key of the device.
    public var key: RecipientPublicKey { registration.key }

    /// The longest lifetime of messages to the device, in seconds.
    public var lifetime: TimeInterval { registration.lifetime }

    /// Creates a recipient from a registration, if its generation is plausible after the stored one.
    ///
    /// The first generation may be up to 2^52, and each later one up to 2^32 above the stored one. So a forged
    /// registration doesn't use up the generations of the device.
    ///
    /// - Parameters:
    ///   - registration: The registration from an authenticated request.
    ///   - deviceToken: The APNs device token in hexadecimal digits.
    ///   - account: The account that the request was authenticated for.
    ///   - date: The time of the request.
    ///   - stored: The stored recipient of this token, in lowercase, and this account; `nil` for a new device.
    /// - Throws: ``PushCryptError`` with `staleGeneration` if the registration is older or implausibly new, or if it
    ///   has another key under the same generation. Answer with the stored generation, or with 0. With
    ///   `malformedRegistration` if the token is malformed, or if the token or the account isn't the stored one.
    public init(
        registration: Registration, deviceToken: String, account: String = "", registered date: Date = Date(),
        replacing stored: Recipient? = nil
    ) throws(PushCryptError) {
        try self.init(registration, deviceToken: deviceToken, account: account, registered: date)
        guard stored == nil || stored?.deviceToken == self.deviceToken && stored?.account == account else {
            throw PushCryptError(
                .malformedRegistration,
                "The stored recipient has another device token or account. Look it up by both.")
        }
        let fresh = registration.generation
        let known = stored?.registration.generation ?? 0
        let limit = stored == nil ? 1 << 52 : known + Registration.maximumGrowth
        guard (known...limit).contains(fresh) else {
            throw PushCryptError(
                .staleGeneration,
                """
                The registration has generation \(fresh), but \(known) is stored. Keep the stored recipient, and \
                answer with its generation.
                """)
        }
        guard fresh > known || registration.key == stored?.key && registration.lifetime == stored?.lifetime else {
            throw PushCryptError(
                .staleGeneration,
                "Another key or lifetime is stored for generation \(fresh). Register the device again.")
        }
    }

    /// Creates a recipient without a check of its generation.
    init(
        _ registration: Registration, deviceToken: String, account: String, registered date: Date
    ) throws(PushCryptError) {
        let token = deviceToken.lowercased()
        guard Self.isDeviceToken(token) else {
            throw PushCryptError(
                .malformedRegistration, "The device token isn't valid. Give 16 to 200 bytes in hexadecimal digits.")
        }
        self.deviceToken = token
        self.account = account
        registered = Date(millisecondsSince1970: date.millisecondsSince1970)
        self.registration = registration
    }

    /// Returns a Boolean value that indicates whether a string is 16 to 200 bytes in hexadecimal digits.
    ///
    /// Apple doesn't document a length.
    package static func isDeviceToken(_ string: String) -> Bool {
        let count = string.utf8.count
        guard (32...400).contains(count), count.isMultiple(of: 2) else { return false }
        return string.allSatisfy { $0.isASCII && $0.isHexDigit }
    }
}
