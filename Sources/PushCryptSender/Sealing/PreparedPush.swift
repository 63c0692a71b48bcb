/// A payload that is checked, padded and ready to be sealed for any number of devices, on any threads.
public struct PreparedPush: Sendable {
    /// The request headers that go with it.
    public let headers: APNsHeaders

    /// How many bytes the sealed payload has, for every recipient the same.
    public let payloadLength: Int

    private var message: OutgoingMessage
    private let textLength: Int

    /// What everybody on the way can read, up to the opening quotation mark of the sealed value.
    private let visible: [UInt8]

    private static let end = [UInt8]("\"}".utf8)

    private let time: any TimeSource

    init(_ json: [UInt8], _ headers: APNsHeaders, _ sealer: Sealer) throws(PushCryptError) {
        try headers.check()
        let original = try OriginalPayload(json, type: headers.pushType)
        visible = try Self.visible(original, headers.pushType, sealer)
        let signingKey = sealer.authentication.signingKey
        let needed = MessageFormat.length(payload: original.bytes.count, signingKey == nil ? .anonymous : .ed25519)
        let frame = visible.count + Self.end.count
        let maximum = headers.pushType.maximumPayloadLength
        let limit = Base64URL.capacity(max(maximum - frame, 0)) - Envelope.overhead
        guard needed <= limit else {
            let length = frame + Base64URL.encodedLength(needed + Envelope.overhead)
            let excess = needed - limit
            let cure =
                excess < original.bytes.count
                ? "Shorten the payload by at least \(excess) bytes, or expose less."
                : "The placeholder and what is exposed take \(frame) bytes of it: shorten these."
            throw PushCryptError(
                .payloadTooLarge,
                "Sealed, the payload would have \(length) bytes, and APNs takes \(maximum): \(length - maximum) too many. \(cure)"
            )
        }
        message = try OutgoingMessage(
            payload: original.bytes.span, paddedTo: sealer.padding.paddedLength(needed, limit: limit),
            signedBy: signingKey)
        textLength = Base64URL.encodedLength(message.length + Envelope.overhead)
        payloadLength = frame + textLength
        self.headers = headers
        time = sealer.time
    }

    /// Seals the payload for one device.
    ///
    /// - Parameter recipient: the device's public key.
    /// - Returns: what to send.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    public func seal(for recipient: RecipientPublicKey) throws(PushCryptError) -> SealedPush {
        var own = self
        var ids = MessageIDPool(recipients: 1)
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
        var ids = MessageIDPool(recipients: recipients.count)
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
        // The one allocation: the envelope is written at the end of the room that its text will take.
        var payload = [UInt8](repeating: 0, count: payloadLength)
        for index in visible.indices { payload[index] = visible[index] }
        let room = visible.count..<(visible.count + textLength)
        let envelopeLength = message.length + Envelope.overhead
        try message.seal(
            to: recipient, issuedAt: time.now.millisecondsSince1970, ids: &ids, into: &payload,
            at: room.upperBound - envelopeLength)
        Base64URL.encode(inPlace: &payload, room: room, count: envelopeLength)
        payload[room.upperBound] = Self.end[0]
        payload[room.upperBound + 1] = Self.end[1]
        return SealedPush(payload: payload, headers: headers)
    }

    /// The visible part: an `aps` that makes the system do what the push type needs, and the sealed value's key.
    private static func visible(
        _ original: OriginalPayload, _ type: PushType, _ sealer: Sealer
    ) throws(PushCryptError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        switch type {
        case .alert:
            bytes += #"{"aps":{"alert":"#.utf8
            try sealer.placeholder.write(to: &bytes)
            bytes += #","mutable-content":1"#.utf8
            original.write(sealer.exposing, to: &bytes)
        case .background:
            bytes += #"{"aps":{"content-available":1"#.utf8
        case .voip:
            bytes += #"{"aps":{"#.utf8
        }
        bytes += #"},"\#(Envelope.payloadKey)":""#.utf8
        return bytes
    }
}

extension PreparedPush: CustomStringConvertible, CustomReflectable {
    /// The length of what will be sent, nothing of the content.
    public var description: String { "PreparedPush of \(payloadLength) bytes" }

    /// No members, so that `dump` and debug descriptions do not show the content either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
