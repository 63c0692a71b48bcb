public import PushCryptCore
internal import PushCryptRules

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
    package let payloadLength: Int

    package let truncations: [Truncation]

    package let headers: APNsHeaders

    private var visible: VisiblePayload

    /// The sealer's lifetime in seconds.
    private let lifetime: UInt64

    private let time: any TimeSource

    init(_ json: [UInt8], _ headers: APNsHeaders, _ sealer: Sealer, _ kind: MessageKind?) throws(PushCryptError) {
        try headers.check()
        try headers.checkSealable()
        lifetime = try KeyLifetime.seconds(sealer.lifetime)
        let type = headers.pushType
        var original = try OriginalPayload(json)
        let isCall = type == .alert && kind == .voip
        let isWithdrawal = type == .alert && kind != .notification && original.outline.isWithdrawal
        let content = isCall ? .voip : isWithdrawal ? .withdrawal : type
        guard kind == nil || kind == content.messageKind else {
            throw PushCryptError(.wrongKind, "The kind doesn't fit the push type. Omit the kind.")
        }
        try original.check(content, ignoredRules: sealer.ignoredRules)
        var headers = headers
        if content == .withdrawal, headers.collapseID == nil { headers.collapseID = original.withdrawnCollapseID }
        let key = sealer.authentication.signingKey
        var layout = try MessageLayout(original, type, sealer)
        truncations = try layout.truncate(&original, type, sealer)
        guard layout.fits else { throw Self.tooLarge(original, layout, type, sealer) }
        var length = layout.visible.bytes.count
        for index in layout.visible.slots.indices {
            let padded = layout.paddedLength(at: index, sealer.padding)
            let slot = layout.visible.slots[index]
            layout.visible.slots[index].message = try OutgoingMessage(
                content.messageKind ?? slot.kind, payload: original.bytes.span.extracting(slot.original),
                paddedTo: padded,
                signedBy: key)
            length += MessageLayout.textLength(padded)
        }
        payloadLength = length
        visible = layout.visible
        self.headers = headers
        time = sealer.time
    }

    private static func tooLarge(
        _ original: OriginalPayload, _ layout: MessageLayout, _ type: PushType, _ sealer: Sealer
    ) -> PushCryptError {
        let limit = type.maximumPayloadLength
        let length = layout.visible.bytes.count + layout.neededCharacters
        let excess = -layout.remaining
        let truncate = sealer.truncatableFields.isEmpty ? "let the sealer truncate its texts, " : ""
        let fix =
            excess < original.bytes.count
            ? "Shorten the payload by at least \(excess) bytes, \(truncate)or expose less."
            : "Its readable part takes \(layout.visible.bytes.count) bytes. Shorten the placeholder and the exposed values."
        return PushCryptError(
            .payloadTooLarge,
            "The sealed payload would have \(length) bytes, but APNs accepts \(limit): \(length - limit) too many. \(fix)"
        )
    }

    /// Seals the payload for one device, whose lifetime limits the sealer's.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `invalidLifetime`.
    public func seal(for recipient: some PushRecipient) throws(PushCryptError) -> SealedPush {
        var copy = self
        return try copy.sealInPlace(for: recipient)
    }

    /// Seals the payload for many devices, in their order, with a separate message for each.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `invalidLifetime`.
    public func seal(for recipients: [some PushRecipient]) throws(PushCryptError) -> [SealedPush] {
        // All recipients share one copy of the messages.
        var copy = self
        var pushes: [SealedPush] = []
        pushes.reserveCapacity(recipients.count)
        for recipient in recipients { pushes.append(try copy.sealInPlace(for: recipient)) }
        return pushes
    }

    /// Seals the payload without a copy of its messages, and overwrites their lifetime, time, id and signature.
    package mutating func sealInPlace(for recipient: some PushRecipient) throws(PushCryptError) -> SealedPush {
        var writer = SealedPayloadWriter(length: payloadLength)
        let issuedAt = time.now.millisecondsSince1970
        let lifetime = min(lifetime, try KeyLifetime.seconds(recipient.lifetime))
        for index in visible.slots.indices {
            writer.copy(visible.bytes, to: visible.slots[index].offset)
            try writer.seal(&visible.slots[index].message, for: recipient.key, issuedAt: issuedAt, lifetime: lifetime)
        }
        writer.copy(visible.bytes, to: visible.bytes.count)
        let (expiration, isTooLate) = issuedAt.addingReportingOverflow(1000 * lifetime)
        return SealedPush(
            payload: writer.bytes, headers: headers.expiring(isTooLate ? .max : expiration), truncations: truncations)
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

    /// Seals a message and writes its text.
    mutating func seal(
        _ message: inout OutgoingMessage?, for recipient: RecipientPublicKey, issuedAt: UInt64, lifetime: UInt64
    ) throws(PushCryptError) {
        guard let length = message?.length else { return }
        let envelope = length + Envelope.overhead
        let end = position + Base64URL.encodedLength(envelope)
        // The envelope is written at the end of its text's room, so that it can be encoded in place.
        try message?.seal(to: recipient, issuedAt: issuedAt, lifetime: lifetime, into: &bytes, at: end - envelope)
        Base64URL.encode(inPlace: &bytes, room: position..<end, count: envelope)
        position = end
    }
}
