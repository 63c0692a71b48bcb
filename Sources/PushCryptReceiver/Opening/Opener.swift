public import PushCryptCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Opens sealed payloads with a device's keys.
public struct Opener: Sendable {
    /// Where the device's private keys are.
    public var keys: any KeyStore

    /// Whose messages are opened.
    public var senderPolicy: SenderPolicy

    /// How old a message may be.
    public var freshness: Freshness

    /// Remembers what was opened; without one, a message may be opened any number of times while it is fresh.
    ///
    /// It belongs where messages are shown. An app that opens a delivered push once more, to read its data, uses an opener
    /// without a guard.
    public var replayGuard: (any ReplayGuard)?

    /// Where the time comes from.
    public var time: any TimeSource

    /// Makes an opener.
    ///
    /// - Parameters:
    ///   - keys: where the device's private keys are.
    ///   - senderPolicy: whose messages are opened.
    ///   - freshness: how old a message may be.
    ///   - replayGuard: remembers what was opened.
    ///   - time: where the time comes from.
    public init(
        keys: any KeyStore, senderPolicy: SenderPolicy, freshness: Freshness = .standard,
        replayGuard: (any ReplayGuard)? = nil, time: any TimeSource = SystemTime()
    ) {
        self.keys = keys
        self.senderPolicy = senderPolicy
        self.freshness = freshness
        self.replayGuard = replayGuard
        self.time = time
    }

    /// Opens a payload as the system hands it over.
    ///
    /// - Parameter userInfo: a notification's `userInfo`, or the dictionary of a background or VoIP push.
    /// - Returns: the original payload and what is known about it.
    /// - Throws: ``PushCryptError`` with `notSealed`, or why it does not open.
    public func open(userInfo: [AnyHashable: Any]) throws(PushCryptError) -> OpenedPush {
        try open(SealedValue(userInfo: userInfo))
    }

    /// Opens a payload as it travels.
    ///
    /// - Parameter json: the payload in UTF-8.
    /// - Returns: the original payload and what is known about it.
    /// - Throws: ``PushCryptError`` with `malformedJSON` or `notSealed`, or why it does not open.
    public func open(json: [UInt8]) throws(PushCryptError) -> OpenedPush {
        let bytes = json.span
        let text = bytes.extracting(try SealedValue.place(in: bytes))
        do throws(PushCryptError) {
            return try open(envelope: Base64URL.decode(text))
        } catch {
            // Only a text with escapes, which no sender has a reason to write, is worth a second look.
            guard error.code == .malformedBase64 else { throw error }
            return try open(SealedValue(json: json))
        }
    }

    /// Opens a payload as it travels, given as `Data` or the `utf8` of a string.
    ///
    /// - Parameter json: the payload in UTF-8.
    /// - Returns: the original payload and what is known about it.
    /// - Throws: ``PushCryptError`` with `malformedJSON` or `notSealed`, or why it does not open.
    @inlinable
    public func open(json: some Collection<UInt8>) throws(PushCryptError) -> OpenedPush {
        try open(json: Array(json))
    }

    /// Opens a sealed value.
    ///
    /// - Parameter value: the value of `ENCRYPTED_DATA`.
    /// - Returns: the original payload and what is known about it.
    /// - Throws: ``PushCryptError`` with the first check that fails.
    public func open(_ value: SealedValue) throws(PushCryptError) -> OpenedPush {
        try open(envelope: value.envelope())
    }

    /// One key id, one key, one attempt; then who sent it, when, and at last what it is.
    ///
    /// The order decides which error is reported, and that nothing unauthenticated is ever interpreted.
    ///
    /// - Parameters:
    ///   - envelope: the envelope.
    ///   - isWanted: asked when the message has passed every check but that of its id; a message that nobody waits for any
    ///     more does not use up its id.
    /// - Returns: the original payload and what is known about it.
    /// - Throws: ``PushCryptError`` with the first check that fails; `deadlinePassed` where it is not wanted any more.
    func open(
        envelope: [UInt8], isWanted: () -> Bool = { true }
    ) throws(PushCryptError) -> OpenedPush {
        let keyID = try Envelope.keyID(of: envelope)
        let message = try IncomingMessage(opening: envelope, with: keys.key(named: keyID))
        let signer = try senderPolicy.check(message)
        let issuedAt = Date(millisecondsSince1970: message.issuedAt)
        try freshness.check(issuedAt: message.issuedAt, now: time.now.millisecondsSince1970)
        try message.withPayload { (payload) throws(PushCryptError) in _ = try JSONDocument(scanning: payload) }
        guard isWanted() else {
            throw PushCryptError(.deadlinePassed, "The message was open when nobody waited for it any more.")
        }
        let guardFailure = try admit(message.id, issuedAt: issuedAt)
        return OpenedPush(
            payload: message.payload, keyID: keyID, signer: signer, messageID: message.id, issuedAt: issuedAt,
            replayGuardFailure: guardFailure)
    }

    /// A guard that fails is no reason to keep a message from its reader; one that refuses is.
    ///
    /// - Returns: why the guard has failed; `nil` where it has not.
    private func admit(_ id: MessageID, issuedAt: Date) throws(PushCryptError) -> PushCryptError? {
        guard let replayGuard else { return nil }
        do {
            try replayGuard.admit(id, issuedAt: issuedAt)
            return nil
        } catch let error as PushCryptError {
            if error.code == .replayed { throw error }
            return PushCryptError(.replayGuardUnavailable, "The replay guard could not be asked. \(error.reason)")
        } catch {
            // A guard's own error may say anything, so only its type is repeated.
            return PushCryptError(
                .replayGuardUnavailable, "The replay guard could not be asked (\(type(of: error))).")
        }
    }
}
