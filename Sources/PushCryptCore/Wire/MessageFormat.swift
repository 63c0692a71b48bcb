/// The layout of a message, the plaintext of a sealed box.
package enum MessageFormat {
    /// The ways to authenticate the sender of a message.
    package enum Authentication: UInt8, Sendable {
        /// No authentication: the message may come from any sender who knows the recipient's public key.
        case anonymous = 0
        /// An Ed25519 signature.
        case ed25519 = 1

        /// The number of bytes at the end of the message.
        package var trailerLength: Int { self == .ed25519 ? KeyID.length + Ed25519.signatureLength : 0 }
    }

    package static let timeOffset = 8
    package static let idOffset = 16

    /// The length of the header: authentication (1 byte), kind (1), length of the payload (2), lifetime (4), time (8), id (16).
    package static let headerLength = 32

    /// The maximum length of a payload, which two bytes encode.
    package static let maximumPayloadLength = Int(UInt16.max)

    /// Returns the length of a message without padding.
    package static func length(payload: Int, _ authentication: Authentication) -> Int {
        headerLength + payload + authentication.trailerLength
    }

    // MARK: Signatures

    /// The domain of signatures, so that a signature for another purpose or another version is not valid.
    private static let domain = [UInt8]("pushcrypt/v1/signature".utf8) + [0]

    /// The length of the signed context before the message: the domain (23 bytes), the header of the envelope (9) and the
    /// recipient's public key (32).
    package static let contextLength = 64

    /// Writes the signed context, which names the recipient to prevent forwarding, into the first 64 bytes of a buffer.
    package static func writeContext(for recipient: RecipientPublicKey, to buffer: inout [UInt8]) {
        buffer.copy(domain.span, to: 0)
        Envelope.writeHeader(for: recipient, to: &buffer, at: domain.count)
        recipient.bytes.write(to: &buffer, at: domain.count + Envelope.headerLength)
    }
}
