// Words of 8 bytes and vectors of 16. The standard library's own checked loads and stores need
// later systems.

/// Two words, which share one check of their bounds.
struct WordPair {
    var first: UInt64
    var second: UInt64
}

extension Span<UInt8> {
    /// Returns the words that begin at an offset and a number of bytes later, the first byte in the
    /// lowest bits.
    @inline(__always)
    func words(at offset: Int, stride: Int) -> WordPair {
        precondition(offset >= 0 && stride >= 0 && stride <= 8 && count &- offset >= 8 + stride)
        return unsafe withUnsafeBytes {
            let first = unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let second = unsafe $0.loadUnaligned(fromByteOffset: offset &+ stride, as: UInt64.self)
            return WordPair(
                first: UInt64(littleEndian: first), second: UInt64(littleEndian: second))
        }
    }

    /// Returns the 16 bytes that begin at an offset.
    @inline(__always)
    func vector(at offset: Int) -> SIMD16<Int8> {
        precondition(offset >= 0 && count &- offset >= 16)
        return unsafe withUnsafeBytes {
            unsafe $0.loadUnaligned(fromByteOffset: offset, as: SIMD16<Int8>.self)
        }
    }
}

extension MutableSpan<UInt8> {
    /// Overwrites the words that begin at an offset and a number of bytes later, the first byte
    /// with the lowest bits.
    @inline(__always)
    mutating func store(_ words: WordPair, at offset: Int, stride: Int) {
        precondition(offset >= 0 && stride >= 0 && stride <= 8 && count &- offset >= 8 + stride)
        unsafe withUnsafeMutableBytes {
            unsafe $0.storeBytes(
                of: words.first.littleEndian, toByteOffset: offset, as: UInt64.self)
            unsafe $0.storeBytes(
                of: words.second.littleEndian, toByteOffset: offset &+ stride, as: UInt64.self)
        }
    }
}

extension SIMDMask<SIMD16<Int8>> {
    /// The mask as two words in the order of memory; every bit of a byte in the mask is set.
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
        let first = UInt64(littleEndian: words[0])
        let second = UInt64(littleEndian: words[1])
        return first != 0 ? first.trailingZeroBitCount / 8 : 8 &+ second.trailingZeroBitCount / 8
    }
}
