/// The 16 random bytes by which a receiver recognises a message that it has already opened.
public struct MessageID: Hashable, Sendable {
    /// How many bytes an id has.
    public static let length = 16

    /// The 16 bytes.
    public let bytes: [UInt8]

    /// Reads an id from its place in a message.
    init(_ message: Span<UInt8>, at offset: Int) {
        bytes = (0..<Self.length).map { message[offset + $0] }
    }

    /// Takes an id as it was stored.
    ///
    /// - Parameter bytes: 16 bytes.
    /// - Throws: ``PushCryptError`` with `malformedMessage` where there are more or fewer.
    public init(_ bytes: [UInt8]) throws(PushCryptError) {
        guard bytes.count == Self.length else {
            throw PushCryptError(.malformedMessage, "A message id is \(Self.length) bytes; this has \(bytes.count).")
        }
        self.bytes = bytes
    }
}

extension MessageID: CustomStringConvertible {
    /// 22 characters of base64url.
    public var description: String { Base64URL.encode(bytes) }
}
