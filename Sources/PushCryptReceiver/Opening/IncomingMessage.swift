package import PushCryptCore

/// A decrypted message; its sender is known only after its signature is checked.
package struct IncomingMessage: Sendable {
    /// The 64 bytes of the signed context and the message, so that the signed bytes are contiguous.
    private let buffer: [UInt8]

    /// The way in which the sender is authenticated.
    package let authentication: MessageFormat.Authentication

    /// The purpose of the message.
    package let kind: MessageKind

    /// The number of seconds for which the message is valid.
    package let lifetime: UInt32

    /// The random id of the message.
    package let id: MessageID

    /// The time of sealing by the clock of the sender: milliseconds since 1970-01-01 UTC.
    package let issuedAt: UInt64

    /// The id of the key that signed the message, according to the message; `nil` for an anonymous message.
    package let signer: KeyID?

    private let payloadRange: Range<Int>

    /// Opens an envelope and parses the message in it.
    ///
    /// Lengths must add up exactly and padding must be zero, so that every message has one encoding. Only the key with the
    /// id in the envelope is tried: an attacker can create a box that opens with two keys.
    ///
    /// - Throws: ``PushCryptError`` with `decryptionFailed`, `malformedMessage` or `unsupportedAuthentication`.
    package init(opening envelope: [UInt8], with key: RecipientPrivateKey) throws(PushCryptError) {
        let start = MessageFormat.contextLength
        let length = envelope.count - Envelope.overhead
        var buffer = [UInt8](repeating: 0, count: start + max(length, 0))
        try SealedBox.open(
            envelope.span.extracting(Envelope.headerLength...), with: key.publicKey.bytes, key.secret,
            into: &buffer, at: start, boringSSL: key.boringSSL)
        guard length >= MessageFormat.headerLength else {
            throw Self.malformed("\(length) bytes are shorter than a header of \(MessageFormat.headerLength) bytes")
        }
        guard let authentication = MessageFormat.Authentication(rawValue: buffer[start]) else {
            throw PushCryptError(
                .unsupportedAuthentication,
                "This release does not support the authentication \(buffer[start]) of the message. Update the receiver."
            )
        }
        guard let kind = MessageKind(rawValue: buffer[start + 1]) else {
            throw PushCryptError(
                .unsupportedKind,
                "This release does not support the kind \(buffer[start + 1]) of the message. Update the receiver.")
        }
        let header = UInt64(bigEndianBytes: buffer.span, at: start)
        lifetime = UInt32(truncatingIfNeeded: header)
        guard KeyLifetime.range.contains(UInt64(lifetime)) else {
            throw Self.malformed("a lifetime of \(lifetime) seconds is not between 1 second and 30 days")
        }
        let payloadLength = Int(header >> 32 & 0xFFFF)
        let payloadStart = start + MessageFormat.headerLength
        let paddingEnd = start + length - authentication.trailerLength
        guard payloadStart + payloadLength <= paddingEnd else {
            throw Self.malformed("a payload of \(payloadLength) bytes does not fit \(length) bytes")
        }
        payloadRange = payloadStart..<(payloadStart + payloadLength)
        guard buffer[payloadRange.upperBound..<paddingEnd].allSatisfy({ $0 == 0 }) else {
            throw Self.malformed("the padding is not zero")
        }
        self.authentication = authentication
        self.kind = kind
        id = MessageID(buffer.span, at: start + MessageFormat.idOffset)
        issuedAt = UInt64(bigEndianBytes: buffer.span, at: start + MessageFormat.timeOffset)
        switch authentication {
        case .anonymous:
            signer = nil
        case .ed25519:
            signer = KeyID(buffer.span, at: paddingEnd)
            MessageFormat.writeContext(for: key.publicKey, to: &buffer)
        }
        self.buffer = buffer
    }

    /// Checks the signature of the message.
    ///
    /// - Throws: ``PushCryptError`` with `unsigned` or `invalidSignature`.
    package func verify(with key: VerificationKey) throws(PushCryptError) {
        guard signer != nil else {
            throw PushCryptError(.unsigned, "The message has no signature. Sign messages on the server.")
        }
        let signature = buffer.count - Ed25519.signatureLength
        let bytes = buffer.span
        try Ed25519.verify(bytes.extracting(signature...), of: bytes.extracting(..<signature), with: key.bytes)
    }

    /// Calls a closure with the payload.
    package func withPayload<Result>(
        _ body: (Span<UInt8>) throws(PushCryptError) -> Result
    ) throws(PushCryptError) -> Result {
        try body(buffer.span.extracting(payloadRange))
    }

    /// A copy of the payload.
    package var payload: [UInt8] { Array(buffer[payloadRange]) }

    private static func malformed(_ problem: String) -> PushCryptError {
        PushCryptError(.malformedMessage, "The decrypted message is malformed: \(problem). Update the sender.")
    }
}
