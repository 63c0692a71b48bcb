/// The first 8 bytes of a key's thumbprint, which name the key in a message.
public struct KeyID: Hashable, Sendable, CustomStringConvertible {
    /// The length of a key ID in a message, in bytes.
    package static let length = 8

    private let value: UInt64

    /// Takes the first 8 bytes of a thumbprint.
    init(_ thumbprint: Bytes32) {
        // An array of the bytes would cost an allocation for each message.
        value = (0..<Self.length).reduce(0) { $0 << 8 | UInt64(thumbprint[$1]) }
    }

    /// Reads the 8 bytes at an offset.
    package init(_ bytes: Span<UInt8>, at offset: Int) {
        value = UInt64(bigEndianBytes: bytes, at: offset)
    }

    /// The 8 bytes as in a message.
    package var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.length)
        write(to: &bytes, at: 0)
        return bytes
    }

    /// Writes the 8 bytes into a buffer.
    package func write(to buffer: inout [UInt8], at offset: Int) {
        buffer.store(bigEndian: value, at: offset)
    }

    /// The ID in 11 characters of base64url; the key's `kid` begins with the first 10.
    public var description: String { Base64URL.encode(bytes) }
}
