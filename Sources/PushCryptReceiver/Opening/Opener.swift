internal import Foundation
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
    var replayGuard: (any ReplayGuard)?
    private let requiresReplayGuard: Bool
    private let time: any TimeSource

    /// The service that delivers the app's pushes, which decides the location of the sealed value.
    let carrier: Carrier

    /// Creates an opener for one account.
    ///
    /// - Parameters:
    ///   - keys: The store of the device's private keys.
    ///   - senderPolicy: The senders whose messages are opened.
    ///   - freshness: The limits for a message's age.
    ///   - replayGuard: The memory of opened messages; `nil` opens a message any number of times.
    ///     Use a guard if messages are displayed or acted on, and an opener without a guard to read
    ///     a displayed message again.
    ///   - carrier: The service that delivers the app's pushes. The sealed value is read from this
    ///     carrier's location and from no other. With an unknown carrier, each push is rejected
    ///     with `invalidConfiguration`.
    ///   - time: The source of the time.
    public init(
        keys: any KeyStore, senderPolicy: SenderPolicy, freshness: Freshness = .standard,
        replayGuard: (any ReplayGuard)? = nil, carrier: Carrier = .apns,
        time: any TimeSource = SystemTime()
    ) {
        self.init(
            accounts: [PushAccount("", keys: keys, senderPolicy: senderPolicy)],
            freshness: freshness,
            replayGuard: replayGuard, carrier: carrier, time: time)
    }

    /// Creates an opener for several accounts.
    ///
    /// - Parameters:
    ///   - accounts: The accounts. Their stores are asked in turn, until one has the key that a
    ///     message names. If two names are equal, each message is rejected with
    ///     `invalidConfiguration`.
    ///   - freshness: The limits for a message's age.
    ///   - replayGuard: The memory of opened messages.
    ///   - requiresReplayGuard: `true` rejects messages if the guard can't be used.
    ///   - carrier: The service that delivers the app's pushes; the sealed value is read from this
    ///     carrier's location.
    ///   - time: The source of the time.
    public init(
        accounts: [PushAccount], freshness: Freshness = .standard,
        replayGuard: (any ReplayGuard)? = nil,
        requiresReplayGuard: Bool = false, carrier: Carrier = .apns,
        time: any TimeSource = SystemTime()
    ) {
        self.accounts = accounts
        self.carrier = carrier
        hasUniqueNames = Set(accounts.map(\.name)).count == accounts.count
        self.freshness = freshness
        self.replayGuard = replayGuard
        self.requiresReplayGuard = requiresReplayGuard
        self.time = time
    }

    /// Opens a payload as the system delivers it.
    ///
    /// - Parameters:
    ///   - userInfo: The `userInfo` of a notification, or the dictionary of another push.
    ///   - kinds: The kinds of messages that fit the push.
    /// - Returns: The original payload with its IDs and its date.
    /// - Throws: ``PushCryptError`` with `notSealed`, or the code of the first failed check, such
    ///   as `unknownKey`, `unknownSigner`, `wrongKind`, `expired` or `replayed`.
    public func open(
        userInfo: [AnyHashable: Any], as kinds: [MessageKind] = [.notification]
    ) throws(PushCryptError) -> OpenedPush {
        try open(SealedValue(userInfo: userInfo, from: carrier), as: kinds)
    }

    /// Opens a payload as JSON in UTF-8: a string, `Data`, or an array of bytes.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJSON` or `notSealed`, or the code of the first
    ///   failed check.
    public func open(
        json: some UTF8Text, as kinds: [MessageKind] = [.notification]
    ) throws(PushCryptError) -> OpenedPush {
        let json = json.bytesForPushCrypt
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
    func open(
        _ value: SealedValue, as kinds: [MessageKind], deliveredAt delivery: Date? = nil
    ) throws(PushCryptError) -> OpenedPush {
        try open(envelope: value.envelope(), as: kinds, deliveredAt: delivery)
    }

    /// Opens an envelope, and asks the replay guard.
    func open(
        envelope: [UInt8], as kinds: [MessageKind], deliveredAt delivery: Date? = nil
    ) throws(PushCryptError) -> OpenedPush {
        let now = time.now
        var push = try verified(envelope: envelope, as: kinds, deliveredAt: delivery, now: now)
        try askReplayGuard(&push, deliveredAt: delivery, now: now)
        guard !push.isRepeated else { throw .replayed(push.messageID) }
        return push
    }

    /// Opens an envelope with the one key that it names, and then checks the signer, the kind, the
    /// date and the JSON.
    ///
    /// The box authenticates each byte that is parsed. Kind, dates and JSON count after the
    /// signature. A message that the system delivered earlier is judged by that date. The replay
    /// guard isn't asked.
    func verified(
        envelope: [UInt8], as kinds: [MessageKind], deliveredAt delivery: Date?, now: Date
    ) throws(PushCryptError) -> OpenedPush {
        guard hasUniqueNames else {
            throw PushCryptError(
                .invalidConfiguration,
                "Two accounts have the same name. Give each account its own name.")
        }
        let keyID = try Envelope.keyID(of: envelope)
        let (account, key) = try accounts.owner(of: keyID)
        let message = try IncomingMessage(opening: envelope, with: key)
        let signer = try accounts.check(message, for: account)
        guard kinds.contains(message.kind) else {
            throw PushCryptError(
                .wrongKind,
                """
                The message has the kind \(message.kind), not the push's kind. Use its push type \
                to seal and open it.
                """)
        }
        try freshness.check(
            message, arrival: min(delivery ?? now, now).millisecondsSince1970,
            now: now.millisecondsSince1970)
        try message.withPayload { (payload) throws(PushCryptError) in
            _ = try JSONDocument(scanning: payload)
        }
        return OpenedPush(
            payload: message.payload, kind: message.kind, account: account.name, keyID: keyID,
            signer: signer,
            isAuthenticated: signer != nil, messageID: message.id,
            issuedAt: Date(millisecondsSince1970: message.issuedAt),
            lifetime: TimeInterval(message.lifetime))
    }

    /// Has the replay guard record a message, or throws if the guard rejects it.
    ///
    /// If the guard can't be used and the opener doesn't require it, the message has the guard's
    /// failure.
    private func askReplayGuard(
        _ push: inout OpenedPush, deliveredAt delivery: Date?, now: Date
    ) throws(PushCryptError) {
        guard let replayGuard else { return }
        do {
            let message = GuardedMessage(push, of: accounts, deliveredAt: delivery)
            push.isRepeated = try replayGuard.admit(message, now: now) == .repeated
            push.isGuarded = true
        } catch {
            push.replayGuardFailure = try PushCryptError.replayGuardFailure(error)
            if let failure = push.replayGuardFailure, requiresReplayGuard { throw failure }
        }
    }

    /// The same opener for messages that may be opened again.
    var withoutReplayGuard: Opener {
        var opener = self
        opener.replayGuard = nil
        return opener
    }
}

extension Opener {
    /// Returns the whole payload of a Live Activity push with the original values: on a device the
    /// system splits it.
    ///
    /// - Throws: ``PushCryptError`` with `notSealed` if neither is sealed.
    package func open(liveActivity json: some UTF8Text) throws(PushCryptError) -> [UInt8] {
        var json = json.bytesForPushCrypt
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
                .notSealed,
                "Neither aps.content-state nor aps.attributes has ENCRYPTED_DATA. Seal one of them."
            )
        }
        // From the end, so that the ranges stay valid.
        for (range, payload) in opened.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            json.replaceSubrange(range, with: payload)
        }
        return json
    }
}
