/// The layout of a message, the plaintext of a sealed box.
package enum MessageFormat {
    /// The ways to authenticate the sender of a message.
    package enum Authentication: UInt8, Sendable {
        /// No authentication: the message may come from any sender who knows the recipient's public
        /// key.
        case anonymous = 0
        /// An Ed25519 signature.
        case ed25519 = 1

        /// The number of bytes at the end of the message.
        package var trailerLength: Int {
            self == .ed25519 ? KeyID.length + Ed25519.signatureLength : 0
        }
    }

    /// The maximum length of a payload, which two bytes encode.
    package static let maximumPayloadLength = Int(UInt16.max)

    /// Returns the length of a message without padding.
    package static func length(payload: Int, _ authentication: Authentication) -> Int {
        MessageHeader.length + payload + authentication.trailerLength
    }

    // MARK: Trailer

    /// Reads the ID of the signer's key, which is before the signature at the end of a message.
    package static func signer(at end: Int, of message: Span<UInt8>) -> KeyID {
        KeyID(message, at: end - Authentication.ed25519.trailerLength)
    }

    /// Writes the ID of the signer's key before the room for the signature at the end of a message.
    package static func writeSigner(_ signer: KeyID, to buffer: inout [UInt8], end: Int) {
        signer.write(to: &buffer, at: end - Authentication.ed25519.trailerLength)
    }

    // MARK: Signatures

    /// The domain of signatures, so that a signature for another purpose or another version isn't
    /// valid.
    private static let domain = [UInt8]("pushcrypt/v1/signature".utf8) + [0]

    /// The length of the signed context before the message: the domain (23 bytes), the header of
    /// the envelope (9) and the recipient's public key (32).
    package static let contextLength = 64

    /// Writes the signed context, which names the recipient to prevent forwarding, into the first
    /// 64 bytes of a buffer.
    package static func writeContext(for recipient: RecipientPublicKey, to buffer: inout [UInt8]) {
        buffer.copy(domain.span, to: 0)
        Envelope.writeHeader(for: recipient, to: &buffer, at: domain.count)
        recipient.bytes.write(to: &buffer, at: domain.count + Envelope.headerLength)
    }

    // MARK: Errors

    /// Returns the error of a decrypted message that breaks the format.
    package static func malformed(_ problem: String) -> PushCryptError {
        PushCryptError(
            .malformedMessage, "The decrypted message is malformed: \(problem). Update the sender.")
    }
}
