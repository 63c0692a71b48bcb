/// What stands before the sealed box, and what everybody on the way can read: the format's version and the key's id.
package enum Envelope {
    /// The only version there is.
    package static let version: UInt8 = 1

    /// Version (1 byte) and key id (8 bytes).
    package static let headerLength = 1 + KeyID.length

    /// How many bytes an envelope is longer than its message.
    package static let overhead = headerLength + SealedBox.overhead

    /// The custom key of the payload that holds the envelope in base64url.
    package static let payloadKey = "ENCRYPTED_DATA"

    /// Reads the header of an envelope.
    ///
    /// - Returns: the id of the key that the envelope says it was sealed to.
    /// - Throws: ``PushCryptError`` with `unsupportedVersion` or `malformedEnvelope`.
    package static func keyID(of envelope: [UInt8]) throws(PushCryptError) -> KeyID {
        guard let version = envelope.first else {
            throw PushCryptError(.malformedEnvelope, "ENCRYPTED_DATA is empty.")
        }
        guard version == Self.version else {
            throw PushCryptError(
                .unsupportedVersion,
                "The envelope has version \(version); this release reads version \(Self.version). Update the receiver.")
        }
        guard envelope.count >= overhead else {
            throw PushCryptError(
                .malformedEnvelope,
                "An envelope has at least \(overhead) bytes; this has \(envelope.count). It was cut on its way.")
        }
        return KeyID(envelope.span, at: 1)
    }

    /// Writes the header of an envelope for a recipient.
    static func writeHeader(for recipient: RecipientPublicKey, to buffer: inout [UInt8], at offset: Int) {
        buffer[offset] = version
        recipient.keyID.write(to: &buffer, at: offset + 1)
    }
}
