// Both are inlinable, because other modules call them for each record of a file. A call through the
// witness tables of a generic type takes ten times as long.

extension FixedWidthInteger where Self: UnsignedInteger {
    /// Reads an integer at an offset, the most significant byte first.
    @inlinable
    package init(bigEndianBytes bytes: Span<UInt8>, at offset: Int = 0) {
        var value: Self = 0
        for index in 0..<(Self.bitWidth / 8) {
            value = value << 8 | Self(truncatingIfNeeded: bytes[offset + index])
        }
        self = value
    }
}

extension [UInt8] {
    /// Overwrites the bytes at an offset with an integer, the most significant byte first.
    @inlinable
    package mutating func store(
        bigEndian value: some FixedWidthInteger & UnsignedInteger, at offset: Int
    ) {
        let last = value.bitWidth / 8 - 1
        for index in 0...last {
            self[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * (last - index)))
        }
    }
}
