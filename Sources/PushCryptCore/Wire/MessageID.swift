/// The 16 random bytes that identify a message, so that a receiver opens it only once.
public struct MessageID: Hashable, Sendable, CustomStringConvertible {
    /// The length of an id in bytes.
    package static let length = 16

    /// The 16 bytes.
    public let bytes: [UInt8]

    /// Reads an id from a message.
    package init(_ message: Span<UInt8>, at offset: Int) {
        bytes = [UInt8](copying: message.extracting(offset..<(offset + Self.length)))
    }

    /// Creates an id from its 16 stored bytes.
    ///
    /// - Throws: ``PushCryptError`` with `malformedMessage` for another length.
    package init(_ bytes: [UInt8]) throws(PushCryptError) {
        guard bytes.count == Self.length else {
            throw PushCryptError(
                .malformedMessage,
                "A message id has \(Self.length) bytes, and this id has \(bytes.count). Store all bytes of the id.")
        }
        self.bytes = bytes
    }

    /// The id in 22 characters of base64url.
    public var description: String { Base64URL.encode(bytes) }
}
