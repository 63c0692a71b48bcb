package import PushCryptCore

/// A message that is written once, and then completed and sealed for each recipient.
///
/// The buffer begins with the 64 bytes of the signed context, so that the signed bytes are
/// contiguous without a copy.
package struct OutgoingMessage: Sendable {
    private var buffer: [UInt8]
    private let authentication: MessageFormat.Authentication

    /// The header; each recipient gets another lifetime, time and ID.
    private var header: MessageHeader

    /// The ID of the message that was sealed last.
    var id: MessageID { header.id }

    /// The length of the message in bytes, with its padding.
    package let length: Int

    /// The offset of the message in the buffer, after the room for the signed context.
    private static let start = MessageFormat.contextLength

    /// Writes the parts of a message that all recipients share: everything but lifetime, time, ID
    /// and signature.
    ///
    /// - Throws: ``PushCryptError`` with `payloadTooLarge`.
    package init(
        _ kind: MessageKind, payload: Span<UInt8>, paddedTo length: Int,
        authentication: MessageFormat.Authentication
    ) throws(PushCryptError) {
        guard let payloadLength = UInt16(exactly: payload.count),
            length >= MessageFormat.length(payload: payload.count, authentication)
        else {
            throw PushCryptError(
                .payloadTooLarge,
                """
                The payload of \(payload.count) bytes does not fit a message of \(length) bytes. \
                Shorten the payload.
                """)
        }
        self.authentication = authentication
        self.length = length
        header = MessageHeader(authentication, kind, payloadLength: payloadLength)
        buffer = [UInt8](repeating: 0, count: Self.start + length)
        buffer.copy(payload, to: Self.start + MessageHeader.length)
    }

    /// Completes the message for a recipient, and writes the envelope of `57 + length` bytes at an
    /// offset of a buffer.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`, `invalidKey` or `signerFailed`.
    package mutating func seal(
        for recipient: MessageRecipient, issuedAt: UInt64, into target: inout [UInt8],
        at offset: Int
    ) throws(PushCryptError) {
        header.id = try MessageID.random()
        header.issuedAt = issuedAt
        header.lifetime = UInt32(clamping: recipient.lifetime)
        header.write(to: &buffer, at: Self.start)
        if authentication == .ed25519 { try sign(for: recipient) }
        Envelope.writeHeader(for: recipient.key, to: &target, at: offset)
        try SealedBox.seal(
            buffer.span.extracting(Self.start...), to: recipient.key.bytes, into: &target,
            at: offset + Envelope.headerLength)
    }

    private mutating func sign(for recipient: MessageRecipient) throws(PushCryptError) {
        guard let signer = recipient.signer else {
            throw PushCryptError(
                .signerFailed, "The message has room for a signature, but no signer. Give a signer."
            )
        }
        MessageFormat.writeContext(for: recipient.key, to: &buffer)
        MessageFormat.writeSigner(signer.publicKey.keyID, to: &buffer, end: buffer.count)
        let signature = buffer.count - Ed25519.signatureLength
        try signer.sign(0..<signature, of: &buffer, into: signature)
    }
}

/// The recipient of a message: the device's key, the message's lifetime in seconds, and the key
/// that signs for it.
package struct MessageRecipient: Sendable {
    package let key: RecipientPublicKey
    package let lifetime: UInt64
    package let signer: Signer?

    package init(_ key: RecipientPublicKey, lifetime: UInt64, signer: Signer?) {
        self.key = key
        self.lifetime = lifetime
        self.signer = signer
    }
}
