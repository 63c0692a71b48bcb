extension UInt64 {
    /// Reads the eight bytes at an offset, the most significant byte first.
    package init(bigEndianBytes bytes: Span<UInt8>, at offset: Int = 0) {
        self = (0..<8).reduce(0) { $0 << 8 | UInt64(bytes[offset + $1]) }
    }
}

extension [UInt8] {
    /// Overwrites eight bytes with a value, the most significant byte first.
    package mutating func store(bigEndian value: UInt64, at offset: Int) {
        for index in 0..<8 { self[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * index)) }
    }
}
