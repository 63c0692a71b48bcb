public import PushCryptCore

/// A payload that is checked, padded and ready to be sealed for any number of devices, on any threads.
public struct PreparedPush: Sendable {
    /// The request headers that go with it.
    public let headers: APNsHeaders

    /// How many bytes the sealed payload has, for every recipient the same.
    public let payloadLength: Int

    /// What was cut so that the payload fits, where the sealer was asked to.
    public let cuts: [Truncation]

    /// A sealed value on its way.
    private struct Slot: Sendable {
        var message: OutgoingMessage
        /// Where in the visible part its text belongs.
        let offset: Int
        let textLength: Int
    }

    /// One sealed value; two at the start of a Live Activity; none at the end of one that shows nothing new.
    private var first: Slot?
    private var second: Slot?

    /// What everybody on the way can read, without the texts of the sealed values.
    private let visible: [UInt8]

    private let time: any TimeSource

    init(_ json: [UInt8], _ headers: APNsHeaders, _ sealer: Sealer) throws(PushCryptError) {
        try headers.check()
        let type = headers.pushType
        var original = try OriginalPayload(json)
        try original.check(type, ignoredRules: sealer.ignoredRules)
        var visible = try VisiblePart(original, type, sealer.placeholder, sealer.exposedKeys)
        let signingKey = sealer.authentication.signingKey
        let limit = type.maximumPayloadLength
        var room = MessageRoom(visible, limit: limit, isSigned: signingKey != nil)
        var cuts: [Truncation] = []
        if room.remaining < 0, type != .liveActivity, !sealer.truncatableFields.isEmpty {
            let truncation = try Truncator(
                original, to: original.bytes.count + room.remaining, cutting: sealer.truncatableFields)
            cuts = truncation.cuts
            original = try OriginalPayload(truncation.json)
            visible = try VisiblePart(original, type, sealer.placeholder, sealer.exposedKeys)
            room = MessageRoom(visible, limit: limit, isSigned: signingKey != nil)
        }
        guard let lengths = Self.lengths(room, sealer.padding) else {
            throw Self.tooLarge(original, visible, room, limit, mayCut: sealer.truncatableFields.isEmpty)
        }
        first = try Self.slot(visible.gaps.first, original, lengths.first, signingKey)
        second = try Self.slot(visible.gaps.second, original, lengths.second, signingKey)
        payloadLength = visible.bytes.count + (first?.textLength ?? 0) + (second?.textLength ?? 0)
        self.visible = visible.bytes
        self.headers = headers
        self.cuts = cuts
        time = sealer.time
    }

    /// How long the messages become; nothing where they do not fit.
    private static func lengths(_ room: MessageRoom, _ padding: Padding) -> (first: Int, second: Int)? {
        guard let first = room.first else { return room.characters >= 0 ? (0, 0) : nil }
        guard let lengths = PaddedLengths(first, room.second, room: room.characters, padding) else { return nil }
        return (lengths.first, lengths.second ?? 0)
    }

    private static func slot(
        _ gap: VisiblePart.Gap?, _ original: OriginalPayload, _ length: Int, _ key: SigningKey?
    ) throws(PushCryptError) -> Slot? {
        guard let gap else { return nil }
        let payload = original.bytes.span.extracting(gap.sealed)
        let message = try OutgoingMessage(payload: payload, paddedTo: length, signedBy: key)
        return Slot(message: message, offset: gap.offset, textLength: PaddedLengths.textLength(length))
    }

    private static func tooLarge(
        _ original: OriginalPayload, _ visible: VisiblePart, _ room: MessageRoom, _ limit: Int,
        mayCut: Bool
    ) -> PushCryptError {
        let length = visible.bytes.count + room.neededCharacters
        let excess = -room.remaining
        let cure =
            excess < original.bytes.count
            ? "Shorten the payload by at least \(excess) bytes, \(mayCut ? "let the sealer cut its text, " : "")or expose less."
            : "What stays visible takes \(visible.bytes.count) bytes of it: shorten the placeholder and what is exposed."
        return PushCryptError(
            .payloadTooLarge,
            "Sealed, the payload would have \(length) bytes, and APNs takes \(limit): \(length - limit) too many. \(cure)"
        )
    }

    /// Seals the payload for one device.
    ///
    /// - Parameter recipient: the device's public key.
    /// - Returns: what to send.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    public func seal(for recipient: RecipientPublicKey) throws(PushCryptError) -> SealedPush {
        var own = self
        var ids = MessageIDPool(recipients: own.second == nil ? 1 : 2)
        return try own.sealInPlace(for: recipient, ids: &ids)
    }

    /// Seals the payload for many devices, each with a message id of its own.
    ///
    /// - Parameter recipients: the devices' public keys.
    /// - Returns: what to send, in the order of the recipients.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    public func seal(for recipients: [RecipientPublicKey]) throws(PushCryptError) -> [SealedPush] {
        // One copy of the message serves all recipients, one after the other.
        var own = self
        var ids = MessageIDPool(recipients: own.second == nil ? recipients.count : 2 * recipients.count)
        var pushes: [SealedPush] = []
        pushes.reserveCapacity(recipients.count)
        for recipient in recipients {
            pushes.append(try own.sealInPlace(for: recipient, ids: &ids))
        }
        return pushes
    }

    /// Seals without a copy of the message: the id, the time and the signature of the last recipient are overwritten.
    mutating func sealInPlace(
        for recipient: RecipientPublicKey, ids: inout MessageIDPool
    ) throws(PushCryptError) -> SealedPush {
        // The one allocation: each envelope is written at the end of the room that its text will take.
        var payload = [UInt8](repeating: 0, count: payloadLength)
        let issuedAt = time.now.millisecondsSince1970
        var copied = 0
        var position = 0
        try Self.write(&first, visible, &copied, &position, recipient, issuedAt, &ids, to: &payload)
        try Self.write(&second, visible, &copied, &position, recipient, issuedAt, &ids, to: &payload)
        for index in copied..<visible.count { payload[position + index - copied] = visible[index] }
        return SealedPush(payload: payload, headers: headers, cuts: cuts)
    }

    /// Writes the visible part up to a sealed value, and that.
    private static func write(
        _ slot: inout Slot?, _ visible: [UInt8], _ copied: inout Int, _ position: inout Int,
        _ recipient: RecipientPublicKey, _ issuedAt: UInt64, _ ids: inout MessageIDPool, to payload: inout [UInt8]
    ) throws(PushCryptError) {
        guard let offset = slot?.offset, let textLength = slot?.textLength, let length = slot?.message.length else {
            return
        }
        for index in copied..<offset { payload[position + index - copied] = visible[index] }
        position += offset - copied
        copied = offset
        let envelopeLength = length + Envelope.overhead
        try slot?.message.seal(
            to: recipient, issuedAt: issuedAt, ids: &ids, into: &payload, at: position + textLength - envelopeLength)
        Base64URL.encode(inPlace: &payload, room: position..<(position + textLength), count: envelopeLength)
        position += textLength
    }
}

extension PreparedPush: CustomStringConvertible, CustomReflectable {
    /// The length of what will be sent, nothing of the content.
    public var description: String { "PreparedPush of \(payloadLength) bytes" }

    /// No members, so that `dump` and debug descriptions do not show the content either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
