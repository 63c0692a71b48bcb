public import PushCryptCore
public import PushCryptFoundation
public import PushCryptKeyring

/// A device in the database of a server: its device token, its account, its registered key, and
/// hashes of former keys.
///
/// ```swift
/// func update(_ stored: Recipient?, account: String, body: Data) throws -> Recipient {
///     let request = try RegistrationRequest(parsing: body)
///     return try Recipient(
///         registration: Registration(parsing: request.registration),
///         deviceToken: request.deviceToken, carrier: request.carrier, account: account,
///         replacing: stored)
/// }
/// ```
///
/// Store the recipient after each registration, for example as JSON in one column:
///
///     {"account":"anna","deviceToken":"0a…","formerKeys":[{"kid":"…","replaced":1767225600000}],
///      "registered":1767225600000,
///      "registration":{"created":…,"generation":3,"key":{…},"lifetime":604800,"signers":["…"]}}
///
/// If the initializer throws, keep the stored one, and answer with the error's
/// ``PushCryptError/staleGeneration``. To reset a device, delete its row.
public struct Recipient: SealTarget, Sendable, Hashable {
    /// The device token: for APNs, lowercase hexadecimal digits.
    public let deviceToken: String

    /// The service that delivers pushes to the token.
    public let carrier: Carrier

    /// The account of the request that registered the device; empty for a server without accounts.
    public let account: String

    /// The time of the registration by the clock of the server, in whole milliseconds.
    ///
    /// If APNs answers `Unregistered`, delete the recipient only if this date is earlier than the
    /// answer's timestamp. Otherwise the app has registered again in the meantime.
    ///
    /// Source: Apple, "Handling notification responses from APNs".
    public let registered: Date

    /// The time at which the device proved that its key and its token belong together, in whole
    /// milliseconds; `nil` without a proof.
    public let proved: Date?

    /// The registration of the device.
    public let registration: Registration

    /// The public key of the device.
    public var key: RecipientPublicKey { registration.key }

    /// The longest lifetime of messages to the device, in seconds.
    public var lifetime: TimeInterval { registration.lifetime }

    /// The keys from which the device accepts signatures; `nil` if its registration doesn't tell
    /// them.
    public var signers: AcceptedSigners? { registration.signers }

    /// Returns a Boolean value that indicates whether a carrier is the one of the device token.
    public func isReached(by carrier: Carrier) -> Bool { self.carrier == carrier }

    /// The former keys, the newest first: at most 64, and of the last 60 days before the
    /// registration.
    ///
    /// A device whose keyring was restored from a backup may register such a key again. It is
    /// rejected, because the device may have replaced the key after a leak.
    public let formerKeys: [FormerKey]

    /// The name of a member of the stored row that this version doesn't know; `nil` if it knows
    /// all.
    ///
    /// A newer version has written the row. This one seals to it, and doesn't replace it, because
    /// it would lose the member.
    public let unknownMember: String?

    /// Creates a recipient from a registration, if its generation is plausible after the stored
    /// one, and its key isn't a former one.
    ///
    /// The first generation may be up to 2^52, and each later one up to 2^32 above the stored one.
    /// So a forged registration doesn't use up the generations of the device.
    ///
    /// - Parameters:
    ///   - registration: The registration from an authenticated request.
    ///   - deviceToken: The device token: for APNs, in hexadecimal digits.
    ///   - carrier: The service that delivers pushes to the token.
    ///   - account: The account that the request was authenticated for.
    ///   - date: The time of the request.
    ///   - proved: The time of the device's proof; `nil` without one. ``ProofOfPossession`` checks
    ///     it. The stored time stays if the registration is the stored one.
    ///   - stored: The stored recipient of this token, in lowercase, and this account; `nil` for a
    ///     new device.
    ///   - others: The other stored recipients of this account, whose former keys are rejected too.
    ///     A device has another token after a reinstallation.
    /// - Throws: ``PushCryptError`` with `staleGeneration` if the registration is older or
    ///   implausibly new, if it has another key under the same generation, or if its key is a
    ///   former one. Answer with the error's ``PushCryptError/staleGeneration``, never with a
    ///   generation of your own. With `malformedRegistration` if the token is malformed, or if a
    ///   stored token or account is another one. With `newerFormat` if a newer version has written
    ///   the stored row.
    public init(
        registration: Registration, deviceToken: String, carrier: Carrier = .apns,
        account: String = "",
        registered date: Date = Date(), proved: Date? = nil, replacing stored: Recipient? = nil,
        others: [Recipient] = []
    ) throws(PushCryptError) {
        let former = stored?.formerKeys ?? others.flatMap(\.formerKeys)
        let replaced = stored.flatMap {
            $0.replacedKey(by: registration, isProved: proved != nil, at: date)
        }
        try self.init(
            registration, deviceToken: deviceToken, account: account, registered: date,
            formerKeys: FormerKey.current((replaced.map { [$0] } ?? []) + former, at: date),
            carrier: carrier,
            proved: proved ?? (stored?.registration == registration ? stored?.proved : nil))
        let rows = (stored.map { [$0] } ?? []) + others
        try checkPlace(of: stored, among: rows)
        try RowMembers.check(stored?.unknownMember)
        try Self.checkGeneration(of: registration, after: stored?.registration)
        let kid = registration.key.kid
        guard
            !rows.contains(where: {
                $0.formerKeys.contains { $0.kid == kid && $0.isRejected(at: date) }
            })
        else {
            throw PushCryptError(
                staleGeneration: registration.generation,
                """
                The key of the registration is a former key of the account. Keep the stored \
                recipient.
                """)
        }
    }

    /// Throws if a stored recipient has another device token, carrier or account.
    private func checkPlace(of stored: Recipient?, among rows: [Recipient]) throws(PushCryptError) {
        guard
            stored == nil || stored?.deviceToken == self.deviceToken && stored?.carrier == carrier,
            rows.allSatisfy({ $0.account == account })
        else {
            throw PushCryptError(
                .malformedRegistration,
                """
                A stored recipient has another device token, carrier or account. Look it up by all \
                three.
                """)
        }
    }

    /// Returns whether a request of an account is about this recipient.
    func isAddressed(by request: RegistrationRequest, account: String) -> Bool {
        carrier == request.carrier && deviceToken == carrier.stored(request.deviceToken)
            && self.account == account
    }

    /// Returns the recipient after its proved registration came again: only the date changes.
    func repeated(at date: Date) throws(PushCryptError) -> Recipient {
        try RowMembers.check(unknownMember)
        return try Recipient(
            registration, deviceToken: deviceToken, account: account, registered: date,
            formerKeys: formerKeys,
            carrier: carrier, proved: proved)
    }

    /// Returns the key that another registration replaces; `nil` if it is the same one.
    ///
    /// A key that was never proved may be an attacker's. It isn't recorded when a proved one
    /// replaces it.
    private func replacedKey(by registration: Registration, isProved: Bool, at date: Date)
        -> FormerKey?
    {
        guard key != registration.key, proved != nil || !isProved else { return nil }
        return FormerKey(key, replaced: date)
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
                """
                The registration has generation \(fresh), but \(known) is stored. Keep the stored \
                recipient.
                """)
        }
        let isRepetition =
            registration.key == stored?.key && registration.lifetime == stored?.lifetime
            && registration.signers == stored?.signers
        guard fresh > known || isRepetition else {
            throw PushCryptError(
                staleGeneration: known,
                """
                Another key, lifetime or list of accepted keys is stored for generation \(fresh). \
                Register again.
                """)
        }
    }

    /// Creates a recipient without a check of its generation.
    init(
        _ registration: Registration, deviceToken: String, account: String, registered date: Date,
        formerKeys: [FormerKey], carrier: Carrier = .apns, proved: Date? = nil,
        unknownMember: String? = nil
    ) throws(PushCryptError) {
        let token = carrier.stored(deviceToken)
        guard carrier != .apns || Self.isDeviceToken(token) else {
            throw PushCryptError(
                .malformedRegistration,
                "The device token isn't valid. Give 16 to 200 bytes in hexadecimal digits.")
        }
        guard Self.tokenLengths.contains(token.utf8.count) else {
            throw PushCryptError(
                .malformedRegistration,
                "The token of the carrier is empty or too long. Give 1 to 4096 bytes.")
        }
        self.deviceToken = token
        self.carrier = carrier
        self.account = account
        self.proved = proved.map { Date(millisecondsSince1970: $0.millisecondsSince1970) }
        registered = Date(millisecondsSince1970: date.millisecondsSince1970)
        self.registration = registration
        self.formerKeys = formerKeys
        self.unknownMember = unknownMember
    }

    /// The numbers of bytes of a token in UTF-8.
    private static let tokenLengths = 1...4096

    /// Returns a Boolean value that indicates whether the device has proved that its key and its
    /// token belong together, or is stored since before proofs, for 30 days.
    public func isProved(at now: Date, requiredSince start: Date) -> Bool {
        guard proved == nil else { return true }
        return registered < start && now < start + ProofRequirement.transition
    }

    /// Returns a Boolean value that indicates whether a string is 16 to 200 bytes in hexadecimal
    /// digits.
    ///
    /// Apple doesn't document a length.
    package static func isDeviceToken(_ string: String) -> Bool {
        let count = string.utf8.count
        guard (32...400).contains(count), count.isMultiple(of: 2) else { return false }
        return string.allSatisfy { $0.isASCII && $0.isHexDigit }
    }
}
