public import PushCryptCore
internal import PushCryptKeyring

/// A payload that is checked and padded, ready to be sealed for any number of devices.
///
/// ```swift
/// let prepared = try sealer.prepare(json: json)
/// for device in devices {
///     let push = try prepared.seal(for: device)
/// }
/// ```
public struct PreparedPush: Sendable, Redacted {
    /// The length of the sealed payload in bytes, the same for every device.
    public let payloadLength: Int

    /// The fields that were truncated so that the payload fits.
    public let truncations: [Truncation]

    /// The headers of the request, before the expiration and the ID of each push are set.
    public let headers: APNsHeaders

    /// The readable part.
    private let visible: VisiblePayload

    /// The messages for the slots of the readable part, in their order.
    private var messages: [OutgoingMessage]

    private let authentication: SenderAuthentication

    private let proofs: ProofRequirement

    private let carrier: Carrier

    private var ids = APNsIDDerivation()

    /// The sealer's lifetime in seconds.
    private let lifetime: UInt64

    private let time: any TimeSource

    init(_ json: [UInt8], _ headers: APNsHeaders, sealer: Sealer, kind: MessageKind?)
        throws(PushCryptError)
    {
        try headers.check()
        try headers.checkSealable()
        lifetime = try KeyLifetime.seconds(sealer.lifetime)
        time = sealer.time
        var original = try OriginalPayload(json)
        let content = try MessageContent(headers.pushType, as: kind, in: original.outline)
        if content.rules == .challenge { _ = try ChallengeContent(parsing: original.bytes) }
        try original.check(content.rules, ignoredRules: sealer.ignoredRules)
        let plan = SealingPlan(sealer, headers.pushType)
        self.headers = content.headers(headers, withdrawing: original, through: plan.carrier)
        try plan.check(self.headers, original)
        var layout = try MessageLayout(original, plan)
        truncations = try layout.truncate(&original)
        try layout.checkFit(of: original)
        messages = try layout.messages(of: original, as: content.rules.messageKind)
        authentication = sealer.authentication
        proofs = sealer.proofs
        carrier = sealer.carrier
        visible = layout.visible
        payloadLength = messages.reduce(visible.bytes.count) {
            $0 + MessageLayout.textLength($1.length)
        }
    }

    /// Seals the payload for one device, whose lifetime limits the sealer's.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`, `invalidLifetime`, `noAcceptedKey`,
    ///   `signerFailed`, `unprovedRecipient` or `wrongCarrier`.
    public func seal(for recipient: some SealTarget) throws(PushCryptError) -> SealedPush {
        var copy = self
        return try copy.sealInPlace(for: recipient)
    }

    /// Seals the payload for many devices, in their order, with a separate message for each.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`, `invalidLifetime`, `noAcceptedKey`,
    ///   `signerFailed`, `unprovedRecipient` or `wrongCarrier`.
    public func seal(for recipients: [some SealTarget]) throws(PushCryptError) -> [SealedPush] {
        // All recipients share one copy of the messages.
        var copy = self
        var pushes: [SealedPush] = []
        pushes.reserveCapacity(recipients.count)
        for recipient in recipients { pushes.append(try copy.sealInPlace(for: recipient)) }
        return pushes
    }

    /// Seals the payload without a copy of its messages, and overwrites their lifetime, time, ID
    /// and signature.
    package mutating func sealInPlace(for recipient: some SealTarget) throws(PushCryptError)
        -> SealedPush
    {
        var writer = SealedPayloadWriter(length: payloadLength)
        let now = time.now
        try CarrierProfile.check(carrier, of: recipient)
        try proofs.check(recipient, at: now)
        let issuedAt = now.millisecondsSince1970
        let lifetime = min(lifetime, try KeyLifetime.seconds(recipient.lifetime))
        let addressee = MessageRecipient(
            recipient.key, lifetime: lifetime,
            signer: try authentication.signer(for: recipient.signers))
        for index in messages.indices {
            writer.copy(visible.bytes, to: visible.slots[index].offset)
            try writer.seal(&messages[index], for: addressee, issuedAt: issuedAt)
        }
        writer.copy(visible.bytes, to: visible.bytes.count)
        let (expiration, isTooLate) = issuedAt.addingReportingOverflow(1000 * lifetime)
        var headers = headers.expiring(isTooLate ? .max : expiration)
        if headers.id == nil { headers.id = try ids.id(of: messages[visible.identifyingSlot].id) }
        return SealedPush(
            payload: writer.bytes, headers: headers, truncations: truncations, carrier: carrier,
            issuedAt: issuedAt)
    }
}

/// Writes a sealed payload from front to back, in one allocation.
private struct SealedPayloadWriter {
    private(set) var bytes: [UInt8]
    private var position = 0
    private var copied = 0

    init(length: Int) {
        bytes = [UInt8](repeating: 0, count: length)
    }

    /// Copies the next visible bytes up to an offset.
    mutating func copy(_ visible: [UInt8], to offset: Int) {
        for index in copied..<offset { bytes[position + index - copied] = visible[index] }
        position += offset - copied
        copied = offset
    }

    /// Seals a message and writes its encoding.
    mutating func seal(
        _ message: inout OutgoingMessage, for recipient: MessageRecipient, issuedAt: UInt64
    ) throws(PushCryptError) {
        let envelope = message.length + Envelope.overhead
        let end = position + Base64URL.encodedLength(envelope)
        // The envelope is written at the end of the room for its encoding, so that it can be
        // encoded in place.
        try message.seal(for: recipient, issuedAt: issuedAt, into: &bytes, at: end - envelope)
        Base64URL.encode(inPlace: &bytes, room: position..<end, count: envelope)
        position = end
    }
}
