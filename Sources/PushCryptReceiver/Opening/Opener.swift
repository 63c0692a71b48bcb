package import Foundation
public import PushCryptCore
public import PushCryptKeyring
internal import PushCryptPayload

/// Opens sealed payloads with a device's keys.
///
/// ```swift
/// let opener = Opener(
///     keys: store, senderPolicy: .signed(by: "YOUR_SERVER_KEY"))
/// let push = try opener.open(userInfo: userInfo)
/// print(push.payload.count, push.issuedAt)
/// ```
public struct Opener: Sendable {
    private let accounts: [PushAccount]
    private let hasUniqueNames: Bool
    private let freshness: Freshness
    package var replayGuard: (any ReplayGuard)?
    let secrets: (any DeviceSecretsStore)?
    private let requiresReplayGuard: Bool
    private let removedKeys: RemovedKeys?
    private let time: any TimeSource

    /// The service that delivers the app's pushes, which decides the location of the sealed value.
    package let carrier: Carrier

    /// Creates an opener for one account.
    ///
    /// - Parameters:
    ///   - keys: The store of the device's private keys.
    ///   - senderPolicy: The senders whose messages are opened.
    ///   - freshness: The limits for a message's age.
    ///   - replayGuard: The memory of opened messages; `nil` opens a message any number of times. Use a guard if
    ///     messages are displayed or acted on, and an opener without a guard to read a displayed message again.
    ///   - secrets: The device's secrets, with whose key the extension writes receipts and the app reads them; `nil`
    ///     leaves the displayed state unknown.
    ///   - carrier: The service that delivers the app's pushes. The sealed value is read from this carrier's location
    ///     and from no other. With an unknown carrier, each push is rejected with `invalidConfiguration`.
    ///   - time: The source of the time.
    public init(
        keys: any KeyStore, senderPolicy: SenderPolicy, freshness: Freshness = .standard,
        replayGuard: (any ReplayGuard)? = nil, secrets: (any DeviceSecretsStore)? = nil, carrier: Carrier = .apns,
        time: any TimeSource = SystemTime()
    ) {
        self.init(
            accounts: [PushAccount("", keys: keys, senderPolicy: senderPolicy)], freshness: freshness,
            replayGuard: replayGuard, secrets: secrets, carrier: carrier, time: time)
    }

    /// Creates an opener for several accounts.
    ///
    /// - Parameters:
    ///   - accounts: The accounts. Their stores are asked in turn, until one has the key that a message names. If two
    ///     names are equal, each message is rejected with `invalidConfiguration`.
    ///   - freshness: The limits for a message's age.
    ///   - replayGuard: The memory of opened messages.
    ///   - requiresReplayGuard: `true` rejects messages if the guard can't be used.
    ///   - removedKeys: The keys of removed accounts, whose messages are rejected as `removedAccount`.
    ///   - secrets: The device's secrets, with whose key the extension writes receipts and the app reads them.
    ///   - carrier: The service that delivers the app's pushes; the sealed value is read from this carrier's location.
    ///   - time: The source of the time.
    public init(
        accounts: [PushAccount], freshness: Freshness = .standard, replayGuard: (any ReplayGuard)? = nil,
        requiresReplayGuard: Bool = false, removedKeys: RemovedKeys? = nil,
        secrets: (any DeviceSecretsStore)? = nil, carrier: Carrier = .apns, time: any TimeSource = SystemTime()
    ) {
        self.accounts = accounts
        self.carrier = carrier
        hasUniqueNames = Set(accounts.map(\.name)).count == accounts.count
        self.freshness = freshness
        self.replayGuard = replayGuard
        self.secrets = secrets.map { CachedSecretsStore.reading($0) }
        self.requiresReplayGuard = requiresReplayGuard
        self.removedKeys = removedKeys
        self.time = time
    }

    /// Opens a payload as the system delivers it.
    ///
    /// - Parameters:
    ///   - userInfo: The `userInfo` of a notification, or the dictionary of another push.
    ///   - kinds: The kinds of messages that fit the push.
    /// - Returns: The original payload with its IDs and its date.
    /// - Throws: ``PushCryptError`` with `notSealed`, or the code of the first failed check, such as `unknownKey`,
    ///   `unknownSigner`, `wrongKind`, `expired` or `replayed`.
    public func open(
        userInfo: [AnyHashable: Any], as kinds: [MessageKind] = [.notification]
    ) throws(PushCryptError) -> OpenedPush {
        try open(SealedValue(userInfo: userInfo, from: carrier), as: kinds)
    }

    /// Opens a payload as JSON in UTF-8: a string, `Data`, or an array of bytes.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJSON` or `notSealed`, or the code of the first failed check.
    public func open(
        json: some UTF8Text, as kinds: [MessageKind] = [.notification]
    ) throws(PushCryptError) -> OpenedPush {
        let json = json.utf8Bytes
        let bytes = json.span
        let text = bytes.extracting(try SealedValue.range(in: bytes, from: carrier))
        do throws(PushCryptError) {
            return try open(envelope: Base64URL.decode(text), as: kinds)
        } catch {
            // Senders don't escape the text, so only a failure is worth decoding it.
            guard error.code == .malformedBase64 else { throw error }
            return try open(SealedValue(json: json, from: carrier), as: kinds)
        }
    }

    /// Opens a sealed value, which the system may have delivered earlier.
    package func open(
        _ value: SealedValue, as kinds: [MessageKind], deliveredAt delivery: Date? = nil
    ) throws(PushCryptError) -> OpenedPush {
        try open(envelope: value.envelope(), as: kinds, deliveredAt: delivery)
    }

    /// Opens an envelope with the one key that it names, and then checks the signer, the kind, the date, the JSON
    /// and the ID.
    ///
    /// Nothing is interpreted before it's authenticated. A message that the system delivered earlier is judged by that
    /// date. After the deadline `isWanted` returns `false`, so that a late message doesn't use up its ID.
    /// The deadline can still pass while the replay guard records the ID. With `acceptingRepeats`, a message opens
    /// again that the guard recorded within the last hour.
    func open(
        envelope: [UInt8], as kinds: [MessageKind], deliveredAt delivery: Date? = nil, acceptingRepeats: Bool = false,
        isWanted: () -> Bool = { true }
    ) throws(PushCryptError) -> OpenedPush {
        let keyID = try Envelope.keyID(of: envelope)
        let now = time.now
        let (account, key) = try owner(of: keyID, now: now)
        let message = try IncomingMessage(opening: envelope, with: key)
        let signer = try accounts.check(message, for: account)
        let issuedAt = Date(millisecondsSince1970: message.issuedAt)
        guard kinds.contains(message.kind) else {
            throw PushCryptError(
                .wrongKind,
                "The message has the kind \(message.kind), not the push's kind. Use its push type to seal and open it.")
        }
        try freshness.check(
            message, arrival: min(delivery ?? now, now).millisecondsSince1970, now: now.millisecondsSince1970)
        try message.withPayload { (payload) throws(PushCryptError) in _ = try JSONDocument(scanning: payload) }
        guard isWanted() else {
            throw PushCryptError(
                .deadlinePassed, "The message was opened after the deadline. Check the key store's speed.")
        }
        var push = OpenedPush(
            payload: message.payload, kind: message.kind, account: account.name, keyID: keyID, signer: signer,
            messageID: message.id, issuedAt: issuedAt, lifetime: TimeInterval(message.lifetime))
        push.keyCreation = { account.keys.creationDate(ofKey: keyID) }
        try askReplayGuard(&push, deliveredAt: delivery, now: now)
        guard acceptingRepeats || !push.isRepeated else { throw .replayed(push.messageID) }
        return push
    }

    /// Returns a key and its account.
    private func owner(
        of id: KeyID, now: Date
    ) throws(PushCryptError) -> (account: PushAccount, key: RecipientPrivateKey) {
        guard hasUniqueNames else {
            throw PushCryptError(
                .invalidConfiguration, "Two accounts have the same name. Give each account its own name.")
        }
        do throws(PushCryptError) {
            return try accounts.owner(of: id)
        } catch {
            guard let removedKeys, removedKeys.contains(id, at: now) else { throw error }
            throw PushCryptError(
                .removedAccount, "The message is sealed to an account that was removed. Have its server stop sending.")
        }
    }

    /// Has the replay guard record a message, or throws if the guard rejects it.
    ///
    /// If the guard can't be used and the opener doesn't require it, the message has the guard's failure.
    private func askReplayGuard(
        _ push: inout OpenedPush, deliveredAt delivery: Date?, now: Date
    ) throws(PushCryptError) {
        guard let replayGuard else { return }
        // By the message's own lifetime, because a later release of the app may accept older messages than this one.
        let age = Freshness.standard.maximumAge(lifetime: Freshness.milliseconds(push.lifetime))
        let message = GuardedMessage(
            id: push.messageID, account: push.account, issuedAt: push.issuedAt,
            expiration: push.issuedAt + Double(age) / 1000, deliveredAt: delivery, keyCreation: push.keyCreation)
        do {
            push.isRepeated = try replayGuard.admit(message, now: now) == .repeated
            push.isGuarded = true
        } catch {
            let known = error as? PushCryptError
            if let known, [.replayed, .possiblyReplayed, .invalidConfiguration].contains(known.code) { throw known }
            // A guard's own error may contain anything, so only its type is repeated.
            let reason = known?.reason ?? "It threw \(type(of: error)). Check its storage."
            let failure = PushCryptError(.replayGuardUnavailable, "The replay guard failed. \(reason)")
            if requiresReplayGuard { throw failure }
            push.replayGuardFailure = failure
        }
    }

    /// The judge of the receipts of this opener's notifications.
    var receiptReader: ReceiptReader { ReceiptReader(secrets: secrets, accounts: accounts.map(\.name)) }

    /// The same opener for messages that may be opened again.
    var withoutReplayGuard: Opener {
        var opener = self
        opener.replayGuard = nil
        return opener
    }
}

extension Opener {
    /// Returns the whole payload of a Live Activity push with the original values: on a device the system splits it.
    ///
    /// - Throws: ``PushCryptError`` with `notSealed` if neither is sealed.
    package func open(liveActivity json: some UTF8Text) throws(PushCryptError) -> [UInt8] {
        var json = json.utf8Bytes
        let document = try JSONDocument(scanning: json.span)
        let aps = document.member("aps", in: json.span)
        var opened: [(range: Range<Int>, payload: [UInt8])] = []
        for key in [PayloadKey.attributes, .contentState] {
            guard let parent = document.member(key.rawValue, of: aps, in: json.span),
                let member = document.member(Envelope.payloadKey, of: parent, in: json.span)
            else { continue }
            guard member.kind == .string else { throw SealedValue.notText }
            let text = JSONText.decoded(json.span, member.contents)
            let kind: MessageKind = key == .attributes ? .activityAttributes : .activityState
            opened.append((parent.range, try open(SealedValue(text: text), as: [kind]).payload))
        }
        guard !opened.isEmpty else {
            throw PushCryptError(
                .notSealed, "Neither aps.content-state nor aps.attributes has ENCRYPTED_DATA. Seal one of them.")
        }
        // From the end, so that the ranges stay valid.
        for (range, payload) in opened.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            json.replaceSubrange(range, with: payload)
        }
        return json
    }
}
