/// The 16 random bytes that identify a message, so that a receiver opens it only once.
public struct MessageID: Hashable, Sendable, CustomStringConvertible {
    /// The length of an ID in bytes.
    package static let length = 16

    /// An ID of 16 zero bytes, for a message that isn't sealed yet.
    package static let zero = MessageID(start: 0, end: 0)

    /// The first eight bytes.
    private let start: UInt64
    /// The last eight bytes.
    private let end: UInt64

    private init(start: UInt64, end: UInt64) {
        self.start = start
        self.end = end
    }

    /// Reads an ID from a message.
    package init(_ message: Span<UInt8>, at offset: Int) {
        start = UInt64(bigEndianBytes: message, at: offset)
        end = UInt64(bigEndianBytes: message, at: offset + 8)
    }

    /// Creates an ID from its 16 stored bytes.
    ///
    /// - Throws: ``PushCryptError`` with `malformedMessage` for another length.
    package init(_ bytes: [UInt8]) throws(PushCryptError) {
        guard bytes.count == Self.length else {
            throw PushCryptError(
                .malformedMessage,
                """
                A message id has \(Self.length) bytes, and this id has \(bytes.count). Store all \
                bytes of the id.
                """)
        }
        self.init(bytes.span, at: 0)
    }

    /// Returns a new random ID.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    package static func random() throws(PushCryptError) -> MessageID {
        MessageID(start: try RandomBytes.word(), end: try RandomBytes.word())
    }

    /// The 16 bytes.
    public var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.length)
        write(to: &bytes, at: 0)
        return bytes
    }

    /// Writes the 16 bytes into a buffer.
    package func write(to buffer: inout [UInt8], at offset: Int) {
        buffer.store(bigEndian: start, at: offset)
        buffer.store(bigEndian: end, at: offset + 8)
    }

    /// The ID in 22 characters of base64url.
    public var description: String { Base64URL.encode(bytes) }
}
