public import PushCryptCore
public import PushCryptFoundation
public import PushCryptKeyring

/// A device in the database of a server: its device token, its account, its registered key, and hashes of former keys.
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
///     {"account":"anna","deviceToken":"0a…","formerKeys":[{"kid":"…","replaced":1767225600000}],
///      "registered":1767225600000,
///      "registration":{"created":…,"generation":3,"key":{…},"lifetime":604800,"signers":["…"]}}
///
/// If the initializer throws, keep the stored one, and answer with the error's ``PushCryptError/staleGeneration``. To
/// reset a device, delete its row.
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

    /// The keys from which the device accepts signatures; `nil` if its registration doesn't tell them.
    public var signers: AcceptedSigners? { registration.signers }

    /// The former keys, the newest first: at most 64, and of the last 60 days before the registration.
    ///
    /// A device whose keyring was restored from a backup may register such a key again. It is rejected, because the
    /// device may have replaced the key after a leak.
    public let formerKeys: [FormerKey]

    /// Creates a recipient from a registration, if its generation is plausible after the stored one, and its key isn't
    /// a former one.
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
    ///   - others: The other stored recipients of this account, whose former keys are rejected too. A device has
    ///     another token after a reinstallation.
    /// - Throws: ``PushCryptError`` with `staleGeneration` if the registration is older or implausibly new, if it has
    ///   another key under the same generation, or if its key is a former one. Answer with the error's
    ///   ``PushCryptError/staleGeneration``, never with a generation of your own. With `malformedRegistration` if the
    ///   token is malformed, or if a stored token or account is another one.
    public init(
        registration: Registration, deviceToken: String, account: String = "", registered date: Date = Date(),
        replacing stored: Recipient? = nil, others: [Recipient] = []
    ) throws(PushCryptError) {
        let former = stored?.formerKeys ?? others.flatMap(\.formerKeys)
        let replaced = stored.flatMap { $0.key == registration.key ? nil : FormerKey($0.key, replaced: date) }
        try self.init(
            registration, deviceToken: deviceToken, account: account, registered: date,
            formerKeys: FormerKey.current((replaced.map { [$0] } ?? []) + former, at: date))
        let rows = (stored.map { [$0] } ?? []) + others
        guard stored == nil || stored?.deviceToken == self.deviceToken, rows.allSatisfy({ $0.account == account })
        else {
            throw PushCryptError(
                .malformedRegistration,
                "A stored recipient has another device token or account. Look it up by both.")
        }
        try Self.checkGeneration(of: registration, after: stored?.registration)
        let kid = registration.key.kid
        guard !rows.contains(where: { $0.formerKeys.contains { $0.kid == kid && $0.isRejected(at: date) } }) else {
            throw PushCryptError(
                staleGeneration: registration.generation,
                "The key of the registration is a former key of the account. Keep the stored recipient.")
        }
    }

    /// Throws if a registration doesn't follow the stored one.
    private static func checkGeneration(
        of registration: Registration, after stored: Registration?
    ) throws(PushCryptError) {
        let fresh = registration.generation
        let known = stored?.generation ?? 0
        let limit = stored == nil ? 1 << 52 : known + Registration.maximumGrowth
        guard (known...limit).contains(fresh) else {
            throw PushCryptError(
                staleGeneration: known,
                "The registration has generation \(fresh), but \(known) is stored. Keep the stored recipient.")
        }
        let isRepetition =
            registration.key == stored?.key && registration.lifetime == stored?.lifetime
            && registration.signers == stored?.signers
        guard fresh > known || isRepetition else {
            throw PushCryptError(
                staleGeneration: known,
                "Another key, lifetime or list of accepted keys is stored for generation \(fresh). Register again.")
        }
    }

    /// Creates a recipient without a check of its generation.
    init(
        _ registration: Registration, deviceToken: String, account: String, registered date: Date,
        formerKeys: [FormerKey]
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
        self.formerKeys = formerKeys
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
