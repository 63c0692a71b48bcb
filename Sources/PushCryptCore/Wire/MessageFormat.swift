/// The layout of a message: what is inside of the sealed box.
///
/// `Docs/Format.md` has the table.
package enum MessageFormat {
    /// How a message says who sent it.
    package enum Authentication: UInt8, Sendable {
        /// It does not: whoever has the recipient's public key may have made it.
        case anonymous = 0
        /// By an Ed25519 signature.
        case ed25519 = 1

        /// How many bytes this takes at the message's end.
        var trailerLength: Int {
            switch self {
            case .anonymous: 0
            case .ed25519: KeyID.length + Ed25519.signatureLength
            }
        }
    }

    static let idOffset = 1
    static let timeOffset = 17
    static let lengthOffset = 25

    /// Authentication (1 byte), id (16), time (8), length of the payload (2).
    package static let headerLength = 27

    /// The longest payload whose length two bytes can say.
    package static let maximumPayloadLength = Int(UInt16.max)

    /// The length of a message without padding.
    package static func length(payload: Int, _ authentication: Authentication) -> Int {
        headerLength + payload + authentication.trailerLength
    }

    // MARK: What is signed

    /// Precedes everything that is signed, so that no signature made for another purpose, or for a later version, fits.
    private static let domain = [UInt8]("pushcrypt/v1/signature".utf8) + [0]

    /// The length of what is signed before the message itself: the domain (23 bytes), the envelope's header (9) and the
    /// recipient's public key (32).
    static let contextLength = 64

    /// Writes what is signed before the message itself into the first 64 bytes of a buffer.
    ///
    /// The recipient's key is in it so that a recipient cannot seal a signed message anew for somebody else.
    static func writeContext(for recipient: RecipientPublicKey, to buffer: inout [UInt8]) {
        for index in domain.indices { buffer[index] = domain[index] }
        Envelope.writeHeader(for: recipient, to: &buffer, at: domain.count)
        recipient.bytes.write(to: &buffer, at: domain.count + Envelope.headerLength)
    }
}
