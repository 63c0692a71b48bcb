/// A message on its way into sealed boxes: written once, then completed and sealed for one recipient after the other.
///
/// The buffer begins with the 64 bytes that are signed before the message, so that what is signed lies in one piece and
/// nothing is copied to sign it.
package struct OutgoingMessage: Sendable {
    private var buffer: [UInt8]
    private let signingKey: SigningKey?

    /// The message's length in bytes, padding included.
    package let length: Int

    /// Writes a message but for what differs between recipients: id, time and signature.
    ///
    /// - Parameters:
    ///   - payload: one JSON object in UTF-8, at most 65,535 bytes.
    ///   - length: the length to pad the message to; at least what it needs.
    ///   - signingKey: the key to sign with; `nil` for an anonymous message.
    /// - Throws: ``PushCryptError`` with `payloadTooLarge`.
    package init(payload: Span<UInt8>, paddedTo length: Int, signedBy signingKey: SigningKey?) throws(PushCryptError) {
        let authentication: MessageFormat.Authentication = signingKey == nil ? .anonymous : .ed25519
        guard payload.count <= MessageFormat.maximumPayloadLength,
            length >= MessageFormat.length(payload: payload.count, authentication)
        else {
            throw PushCryptError(
                .payloadTooLarge,
                "The payload has \(payload.count) bytes and does not fit a message of \(length) bytes.")
        }
        self.signingKey = signingKey
        self.length = length
        buffer = [UInt8](repeating: 0, count: MessageFormat.contextLength + length)
        let message = MessageFormat.contextLength
        buffer[message] = authentication.rawValue
        buffer[message + MessageFormat.lengthOffset] = UInt8(truncatingIfNeeded: payload.count >> 8)
        buffer[message + MessageFormat.lengthOffset + 1] = UInt8(truncatingIfNeeded: payload.count)
        buffer.copy(payload, to: message + MessageFormat.headerLength)
        if let signingKey {
            signingKey.publicKey.keyID.write(to: &buffer, at: message + length - authentication.trailerLength)
        }
    }

    /// Completes the message for a recipient and writes the envelope into a buffer.
    ///
    /// - Parameters:
    ///   - recipient: whom to seal it for.
    ///   - issuedAt: milliseconds since 1970-01-01 UTC.
    ///   - ids: where the message's id comes from.
    ///   - target: gets the envelope, `57 + length` bytes of it.
    ///   - offset: where in `target` the envelope begins.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `invalidKey`.
    package mutating func seal(
        to recipient: RecipientPublicKey, issuedAt: UInt64, ids: inout MessageIDPool, into target: inout [UInt8],
        at offset: Int
    ) throws(PushCryptError) {
        let message = MessageFormat.contextLength
        let end = message + length
        try ids.writeNext(to: &buffer, at: message + MessageFormat.idOffset)
        for index in 0..<8 {
            buffer[message + MessageFormat.timeOffset + index] = UInt8(
                truncatingIfNeeded: issuedAt >> UInt64(56 - 8 * index))
        }
        if let signingKey {
            MessageFormat.writeContext(for: recipient, to: &buffer)
            let signature = end - Ed25519.signatureLength
            try signingKey.sign(0..<signature, of: &buffer, into: signature)
        }
        Envelope.writeHeader(for: recipient, to: &target, at: offset)
        try SealedBox.seal(
            buffer.span, message..<end, to: recipient.bytes, into: &target, at: offset + Envelope.headerLength)
    }
}
