// Sixteen bytes at a time. The standard library has no checked load of a vector and no mask of its bits.

extension Span<UInt8> {
    /// Returns the 16 bytes that begin at an offset.
    @inline(__always)
    func vector(at offset: Int) -> SIMD16<Int8> {
        precondition(offset >= 0 && count &- offset >= 16)
        return unsafe withUnsafeBytes {
            unsafe $0.loadUnaligned(fromByteOffset: offset, as: SIMD16<Int8>.self)
        }
    }
}

extension SIMDMask<SIMD16<Int8>> {
    /// The mask as two words; every bit of a byte in the mask is set, and the first byte is in the lowest bits.
    @inline(__always)
    private var words: SIMD2<UInt64> { unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self) }

    /// A Boolean value that indicates whether no byte is in the mask.
    @inline(__always)
    var isEmpty: Bool {
        words[0] | words[1] == 0
    }

    /// The index of the first byte in the mask; 16 if the mask is empty.
    @inline(__always)
    var firstIndex: Int {
        let words = words
        return words[0] != 0
            ? words[0].trailingZeroBitCount / 8 : 8 &+ words[1].trailingZeroBitCount / 8
    }
}
