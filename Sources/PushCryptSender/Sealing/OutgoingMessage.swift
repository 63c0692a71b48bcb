package import PushCryptCore

/// A message that is written once, and then completed and sealed for each recipient.
///
/// The buffer begins with the 64 bytes of the signed context, so that the signed bytes are contiguous without a copy.
package struct OutgoingMessage: Sendable {
    private var buffer: [UInt8]
    private let signingKey: SigningKey?

    /// The header; each recipient gets another lifetime, time and ID.
    private var header: MessageHeader

    /// The ID of the message that was sealed last.
    var id: MessageID { header.id }

    /// The length of the message in bytes, with its padding.
    package let length: Int

    /// The offset of the message in the buffer, after the room for the signed context.
    private static let start = MessageFormat.contextLength

    /// Writes the parts of a message that all recipients share: everything but lifetime, time, ID and signature.
    ///
    /// - Throws: ``PushCryptError`` with `payloadTooLarge`.
    package init(
        _ kind: MessageKind, payload: Span<UInt8>, paddedTo length: Int, signedBy signingKey: SigningKey?
    ) throws(PushCryptError) {
        let authentication: MessageFormat.Authentication = signingKey == nil ? .anonymous : .ed25519
        guard let payloadLength = UInt16(exactly: payload.count),
            length >= MessageFormat.length(payload: payload.count, authentication)
        else {
            throw PushCryptError(
                .payloadTooLarge,
                "The payload of \(payload.count) bytes does not fit a message of \(length) bytes. Shorten the payload.")
        }
        self.signingKey = signingKey
        self.length = length
        header = MessageHeader(authentication, kind, payloadLength: payloadLength)
        buffer = [UInt8](repeating: 0, count: Self.start + length)
        buffer.copy(payload, to: Self.start + MessageHeader.length)
        if let signingKey {
            MessageFormat.writeSigner(signingKey.publicKey.keyID, to: &buffer, end: buffer.count)
        }
    }

    /// Completes the message for a recipient, and writes the envelope of `57 + length` bytes at an offset of a buffer.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `invalidKey`.
    package mutating func seal(
        to recipient: RecipientPublicKey, issuedAt: UInt64, lifetime: UInt64, into target: inout [UInt8], at offset: Int
    ) throws(PushCryptError) {
        header.id = try MessageID.random()
        header.issuedAt = issuedAt
        header.lifetime = UInt32(clamping: lifetime)
        header.write(to: &buffer, at: Self.start)
        if let signingKey {
            MessageFormat.writeContext(for: recipient, to: &buffer)
            let signature = buffer.count - Ed25519.signatureLength
            try signingKey.sign(0..<signature, of: &buffer, into: signature)
        }
        Envelope.writeHeader(for: recipient, to: &target, at: offset)
        try SealedBox.seal(
            buffer.span.extracting(Self.start...), to: recipient.bytes, into: &target,
            at: offset + Envelope.headerLength)
    }
}
