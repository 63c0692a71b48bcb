/// The unencrypted header before a sealed box: the version of the format and the ID of the key.
package enum Envelope {
    /// The only version of the format.
    package static let version: UInt8 = 1

    /// The length of the header: version (1 byte) and key ID (8 bytes).
    package static let headerLength = 1 + KeyID.length

    /// The length of an envelope beyond its message, in bytes.
    package static let overhead = headerLength + SealedBox.overhead

    /// The custom key of the payload that contains the envelope in base64url.
    package static let payloadKey = "ENCRYPTED_DATA"

    /// The custom key of the receipt that the extension leaves in a notification's `userInfo`.
    ///
    /// Sealers reject it in an original.
    package static let receiptKey = "pushcrypt.receipt"

    /// The custom key of the list of the members that the extension has added to an opened
    /// `userInfo` for a carrier's framework.
    ///
    /// Sealers refuse it in an original.
    package static let addedKey = "pushcrypt.added"

    /// Returns the key ID in the header of an envelope.
    ///
    /// - Throws: ``PushCryptError`` with `unsupportedVersion` or `malformedEnvelope`.
    package static func keyID(of envelope: [UInt8]) throws(PushCryptError) -> KeyID {
        guard let version = envelope.first else {
            throw PushCryptError(
                .malformedEnvelope, "ENCRYPTED_DATA is empty. Send the push again.")
        }
        guard version == Self.version else {
            throw PushCryptError(
                .unsupportedVersion,
                """
                The envelope has version \(version); this release reads version \(Self.version). \
                Update the receiver.
                """)
        }
        guard envelope.count >= overhead else {
            throw PushCryptError(
                .malformedEnvelope,
                """
                An envelope has at least \(overhead) bytes, and this envelope has \
                \(envelope.count). Send the push again.
                """)
        }
        return KeyID(envelope.span, at: 1)
    }

    /// Writes the header of an envelope for a recipient.
    package static func writeHeader(
        for recipient: RecipientPublicKey, to buffer: inout [UInt8], at offset: Int
    ) {
        buffer[offset] = version
        recipient.keyID.write(to: &buffer, at: offset + 1)
    }
}
