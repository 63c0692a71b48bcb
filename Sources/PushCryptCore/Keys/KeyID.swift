/// The first 8 bytes of a key's thumbprint, by which a message names the key that it was sealed to or signed with.
public struct KeyID: Hashable, Sendable {
    /// How many bytes a key id has on the wire.
    public static let length = 8

    private let value: UInt64

    init(_ thumbprint: Bytes32) {
        value = (0..<Self.length).reduce(0) { $0 << 8 | UInt64(thumbprint[$1]) }
    }

    /// Reads a key id from the 8 bytes at a place.
    package init(_ bytes: Span<UInt8>, at offset: Int) {
        value = (0..<Self.length).reduce(0) { $0 << 8 | UInt64(bytes[offset + $1]) }
    }

    /// The 8 bytes, as they stand on the wire.
    public var bytes: [UInt8] {
        (0..<Self.length).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) }
    }

    /// Writes the 8 bytes into a buffer.
    package func write(to buffer: inout [UInt8], at offset: Int) {
        for index in 0..<Self.length {
            buffer[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * index))
        }
    }
}

extension KeyID: CustomStringConvertible {
    /// Eleven characters of base64url; the first ten are those that the key's `kid` begins with.
    public var description: String { Base64URL.encode(bytes) }
}
