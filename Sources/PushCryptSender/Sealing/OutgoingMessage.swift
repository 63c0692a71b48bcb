package import PushCryptCore

/// A message that is written once, and then completed and sealed for each recipient.
///
/// The buffer begins with the 64 bytes of the signed context, so that the signed bytes are contiguous without a copy.
package struct OutgoingMessage: Sendable {
    private var buffer: [UInt8]
    private let signingKey: SigningKey?

    /// The first four bytes of the header, which the lifetime follows.
    private let start: UInt64

    /// The length of the message in bytes, with its padding.
    package let length: Int

    /// Writes the parts of a message that all recipients share: everything but lifetime, time, id and signature.
    ///
    /// - Throws: ``PushCryptError`` with `payloadTooLarge`.
    package init(
        _ kind: MessageKind, payload: Span<UInt8>, paddedTo length: Int, signedBy signingKey: SigningKey?
    ) throws(PushCryptError) {
        let authentication: MessageFormat.Authentication = signingKey == nil ? .anonymous : .ed25519
        guard payload.count <= MessageFormat.maximumPayloadLength,
            length >= MessageFormat.length(payload: payload.count, authentication)
        else {
            throw PushCryptError(
                .payloadTooLarge,
                "The payload of \(payload.count) bytes does not fit a message of \(length) bytes. Shorten the payload.")
        }
        self.signingKey = signingKey
        self.length = length
        buffer = [UInt8](repeating: 0, count: MessageFormat.contextLength + length)
        let message = MessageFormat.contextLength
        start = UInt64(authentication.rawValue) << 56 | UInt64(kind.rawValue) << 48 | UInt64(payload.count) << 32
        buffer.copy(payload, to: message + MessageFormat.headerLength)
        if let signingKey {
            signingKey.publicKey.keyID.write(to: &buffer, at: message + length - authentication.trailerLength)
        }
    }

    /// Completes the message for a recipient, and writes the envelope of `57 + length` bytes at an offset of a buffer.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `invalidKey`.
    package mutating func seal(
        to recipient: RecipientPublicKey, issuedAt: UInt64, lifetime: UInt64, into target: inout [UInt8], at offset: Int
    ) throws(PushCryptError) {
        let message = MessageFormat.contextLength
        let end = message + length
        let id = message + MessageFormat.idOffset
        try RandomBytes.fill(&buffer, id..<(id + MessageID.length))
        buffer.store(bigEndian: start | lifetime, at: message)
        buffer.store(bigEndian: issuedAt, at: message + MessageFormat.timeOffset)
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
