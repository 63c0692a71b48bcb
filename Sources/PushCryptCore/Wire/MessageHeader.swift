/// The first 32 bytes of a message (Docs/Format.md, section 5).
///
/// This is the only code that knows the offsets of its fields.
package struct MessageHeader: Sendable, Hashable {
    /// The length of the header in bytes.
    package static let length = 32

    /// The lifetimes that a message can have, in seconds, up to 30 days.
    package static let lifetimes: ClosedRange<UInt32> = 1...2_592_000

    /// The offset of each field in the header, in bytes.
    private enum Offset {
        static let authentication = 0
        static let kind = 1
        static let payloadLength = 2
        static let lifetime = 4
        static let issuedAt = 8
        static let id = 16
    }

    /// The way in which the sender is authenticated.
    package var authentication: MessageFormat.Authentication

    /// The purpose of the message.
    package var kind: MessageKind

    /// The length of the payload in bytes.
    package var payloadLength: UInt16

    /// The number of seconds for which the message is valid.
    package var lifetime: UInt32

    /// The time of sealing by the clock of the sender: milliseconds since 1970-01-01 UTC.
    package var issuedAt: UInt64

    /// The random ID of the message.
    package var id: MessageID

    /// Creates a header.
    package init(
        _ authentication: MessageFormat.Authentication, _ kind: MessageKind, payloadLength: UInt16,
        lifetime: UInt32 = 0, issuedAt: UInt64 = 0, id: MessageID = .zero
    ) {
        self.authentication = authentication
        self.kind = kind
        self.payloadLength = payloadLength
        self.lifetime = lifetime
        self.issuedAt = issuedAt
        self.id = id
    }

    /// Reads the header of a message that begins at an offset of a buffer.
    ///
    /// - Throws: ``PushCryptError`` with `malformedMessage`, `unsupportedAuthentication` or
    ///   `unsupportedKind`.
    package init(reading bytes: Span<UInt8>, at offset: Int = 0) throws(PushCryptError) {
        let length = bytes.count - offset
        guard length >= Self.length else {
            throw MessageFormat.malformed(
                "\(length) bytes are shorter than a header of \(Self.length) bytes")
        }
        authentication = try Self.authentication(bytes[offset + Offset.authentication])
        kind = try Self.kind(bytes[offset + Offset.kind])
        lifetime = UInt32(bigEndianBytes: bytes, at: offset + Offset.lifetime)
        guard Self.lifetimes.contains(lifetime) else {
            throw MessageFormat.malformed(
                "a lifetime of \(lifetime) seconds is not between 1 second and 30 days")
        }
        payloadLength = UInt16(bigEndianBytes: bytes, at: offset + Offset.payloadLength)
        issuedAt = UInt64(bigEndianBytes: bytes, at: offset + Offset.issuedAt)
        id = MessageID(bytes, at: offset + Offset.id)
    }

    /// Writes the header at an offset of a buffer.
    package func write(to buffer: inout [UInt8], at offset: Int = 0) {
        buffer[offset + Offset.authentication] = authentication.rawValue
        buffer[offset + Offset.kind] = kind.rawValue
        buffer.store(bigEndian: payloadLength, at: offset + Offset.payloadLength)
        buffer.store(bigEndian: lifetime, at: offset + Offset.lifetime)
        buffer.store(bigEndian: issuedAt, at: offset + Offset.issuedAt)
        id.write(to: &buffer, at: offset + Offset.id)
    }

    private static func authentication(_ byte: UInt8) throws(PushCryptError)
        -> MessageFormat.Authentication
    {
        guard let authentication = MessageFormat.Authentication(rawValue: byte) else {
            throw PushCryptError(
                .unsupportedAuthentication,
                """
                This release does not support the authentication \(byte) of the message. Update \
                the receiver.
                """)
        }
        return authentication
    }

    private static func kind(_ byte: UInt8) throws(PushCryptError) -> MessageKind {
        guard let kind = MessageKind(rawValue: byte) else {
            throw PushCryptError(
                .unsupportedKind,
                """
                This release does not support the kind \(byte) of the message. Update the \
                receiver.
                """)
        }
        return kind
    }
}
