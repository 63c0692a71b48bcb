package import PushCryptCore

/// A decrypted message; its sender is known only after its signature is checked.
package struct IncomingMessage: Sendable {
    /// The 64 bytes of the signed context and the message, so that the signed bytes are contiguous.
    private let buffer: [UInt8]

    /// The header of the message.
    private let header: MessageHeader

    /// The ID of the key that signed the message, according to the message; `nil` for an anonymous
    /// message.
    let signer: KeyID?

    private let payloadRange: Range<Int>

    /// The way in which the sender is authenticated.
    var authentication: MessageFormat.Authentication { header.authentication }

    /// The purpose of the message.
    var kind: MessageKind { header.kind }

    /// The number of seconds for which the message is valid.
    var lifetime: UInt32 { header.lifetime }

    /// The random ID of the message.
    var id: MessageID { header.id }

    /// The time of sealing by the clock of the sender: milliseconds since 1970-01-01 UTC.
    var issuedAt: UInt64 { header.issuedAt }

    /// Opens an envelope and parses the message in it.
    ///
    /// Lengths must add up exactly and padding must be zero, so that every message has one
    /// encoding. Only the key with the ID in the envelope is tried: an attacker can create a box
    /// that opens with two keys.
    ///
    /// - Throws: ``PushCryptError`` with `decryptionFailed`, `malformedMessage`,
    ///   `unsupportedAuthentication` or `unsupportedKind`.
    package init(opening envelope: [UInt8], with key: RecipientPrivateKey) throws(PushCryptError) {
        try self.init(parsing: Self.open(envelope, with: key), sealedTo: key.publicKey)
    }

    /// Parses a decrypted message, after 64 bytes of room for the signed context.
    ///
    /// - Throws: ``PushCryptError`` with `malformedMessage`, `unsupportedAuthentication` or
    ///   `unsupportedKind`.
    init(parsing decrypted: consuming [UInt8], sealedTo recipient: RecipientPublicKey)
        throws(PushCryptError)
    {
        // Taken over, not copied.
        var buffer = consume decrypted
        header = try MessageHeader(reading: buffer.span, at: Self.start)
        let paddingEnd = buffer.count - header.authentication.trailerLength
        payloadRange = try Self.payloadRange(header, in: buffer, before: paddingEnd)
        guard buffer[payloadRange.upperBound..<paddingEnd].allSatisfy({ $0 == 0 }) else {
            throw MessageFormat.malformed("the padding is not zero")
        }
        switch header.authentication {
        case .anonymous:
            signer = nil
        case .ed25519:
            signer = MessageFormat.signer(at: buffer.count, of: buffer.span)
            MessageFormat.writeContext(for: recipient, to: &buffer)
        }
        self.buffer = buffer
    }

    /// The offset of the message in the buffer, after the room for the signed context.
    private static let start = MessageFormat.contextLength

    /// Returns a buffer with the decrypted message.
    private static func open(
        _ envelope: [UInt8], with key: RecipientPrivateKey
    ) throws(PushCryptError) -> [UInt8] {
        let length = max(envelope.count - Envelope.overhead, 0)
        var buffer = [UInt8](repeating: 0, count: start + length)
        try SealedBox.open(
            envelope.span.extracting(Envelope.headerLength...), with: key.pair, into: &buffer,
            at: start)
        return buffer
    }

    private static func payloadRange(
        _ header: MessageHeader, in buffer: [UInt8], before end: Int
    ) throws(PushCryptError) -> Range<Int> {
        let payload = start + MessageHeader.length
        let payloadEnd = payload + Int(header.payloadLength)
        guard payloadEnd <= end else {
            let length = buffer.count - start
            throw MessageFormat.malformed(
                "a payload of \(header.payloadLength) bytes does not fit \(length) bytes")
        }
        return payload..<payloadEnd
    }

    /// Checks the signature of the message.
    ///
    /// - Throws: ``PushCryptError`` with `unsigned` or `invalidSignature`.
    func verify(with key: VerificationKey) throws(PushCryptError) {
        guard signer != nil else {
            throw PushCryptError(
                .unsigned, "The message has no signature. Sign messages on the server.")
        }
        let signature = buffer.count - Ed25519.signatureLength
        let bytes = buffer.span
        try Ed25519.verify(
            bytes.extracting(signature...), of: bytes.extracting(..<signature), with: key.bytes)
    }

    /// Calls a closure with the payload.
    func withPayload<Result>(
        _ body: (Span<UInt8>) throws(PushCryptError) -> Result
    ) throws(PushCryptError) -> Result {
        try body(buffer.span.extracting(payloadRange))
    }

    /// A copy of the payload.
    var payload: [UInt8] { Array(buffer[payloadRange]) }
}
