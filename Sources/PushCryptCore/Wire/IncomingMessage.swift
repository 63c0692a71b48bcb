/// A message that came out of a sealed box, taken apart.
///
/// That it came out says nothing yet about who put it in.
package struct IncomingMessage: Sendable {
    /// The 64 bytes that are signed before the message, then the message: what is signed, in one piece.
    private let buffer: [UInt8]

    /// How it says who sent it.
    package let authentication: MessageFormat.Authentication

    /// Its random id.
    package let id: MessageID

    /// When it was issued, by its sender's clock: milliseconds since 1970-01-01 UTC.
    package let issuedAt: UInt64

    /// The id of the key that it says it is signed by.
    package let signer: KeyID?

    private let payloadRange: Range<Int>

    /// Opens an envelope with the key that it names, and takes apart what is in it.
    ///
    /// Lengths must add up exactly and padding must be zero: for every message there is one spelling.
    ///
    /// - Parameters:
    ///   - envelope: the envelope, whose header was read with `Envelope.keyID(of:)`.
    ///   - key: the private key of that id; no other is ever tried, because one box can be made to open under two keys.
    /// - Throws: ``PushCryptError`` with `decryptionFailed`, `malformedMessage` or `unsupportedAuthentication`.
    package init(opening envelope: [UInt8], with key: RecipientPrivateKey) throws(PushCryptError) {
        let start = MessageFormat.contextLength
        let length = envelope.count - Envelope.overhead
        var buffer = [UInt8](repeating: 0, count: start + max(length, 0))
        try SealedBox.open(
            envelope.span.extracting(Envelope.headerLength...), with: key.publicKey.bytes, key.secret,
            into: &buffer, at: start)
        guard length >= MessageFormat.headerLength else {
            throw Self.malformed("it has \(length) bytes, fewer than the \(MessageFormat.headerLength) of its header")
        }
        guard let authentication = MessageFormat.Authentication(rawValue: buffer[start]) else {
            throw PushCryptError(
                .unsupportedAuthentication,
                "The message is authenticated in a way (\(buffer[start])) that this release does not know. Update the receiver."
            )
        }
        let payloadLength =
            Int(buffer[start + MessageFormat.lengthOffset]) << 8 | Int(buffer[start + MessageFormat.lengthOffset + 1])
        let payloadStart = start + MessageFormat.headerLength
        let paddingEnd = start + length - authentication.trailerLength
        guard payloadStart + payloadLength <= paddingEnd else {
            throw Self.malformed("its payload of \(payloadLength) bytes does not fit into its \(length) bytes")
        }
        payloadRange = payloadStart..<(payloadStart + payloadLength)
        guard Self.isZero(buffer.span, payloadRange.upperBound..<paddingEnd) else {
            throw Self.malformed("its padding is not zero")
        }
        self.authentication = authentication
        id = MessageID(buffer.span, at: start + MessageFormat.idOffset)
        issuedAt = (0..<8).reduce(0) { $0 << 8 | UInt64(buffer[start + MessageFormat.timeOffset + $1]) }
        switch authentication {
        case .anonymous:
            signer = nil
        case .ed25519:
            signer = KeyID(buffer.span, at: paddingEnd)
            MessageFormat.writeContext(for: key.publicKey, to: &buffer)
        }
        self.buffer = buffer
    }

    /// Checks the signature of a message that has one.
    ///
    /// - Throws: ``PushCryptError`` with `unsigned` or `invalidSignature`.
    package func verify(with key: VerificationKey) throws(PushCryptError) {
        guard signer != nil else {
            throw PushCryptError(.unsigned, "The message has no signature to check.")
        }
        let signature = buffer.count - Ed25519.signatureLength
        let bytes = buffer.span
        try Ed25519.verify(bytes.extracting(signature...), of: bytes.extracting(..<signature), with: key.bytes)
    }

    /// The payload, as long as `body` runs.
    package func withPayload<Result>(
        _ body: (Span<UInt8>) throws(PushCryptError) -> Result
    ) throws(PushCryptError) -> Result {
        try body(buffer.span.extracting(payloadRange))
    }

    /// A copy of the payload.
    package var payload: [UInt8] { Array(buffer[payloadRange]) }

    private static func isZero(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for index in range where bytes[index] != 0 { return false }
        return true
    }

    private static func malformed(_ what: String) -> PushCryptError {
        PushCryptError(.malformedMessage, "The box opened, but what is in it is no message: \(what).")
    }
}
