// Words of eight bytes with one check of the bounds. The standard library's own checked loads need later systems.

extension Span<UInt8> {
    /// Returns the word that begins at an offset, with the first byte in the lowest bits.
    @inline(__always)
    package func littleEndianWord(at offset: Int) -> UInt64 {
        precondition(offset >= 0 && count &- offset >= 8)
        return unsafe withUnsafeBytes {
            unsafe UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
    }

    /// Returns the two words that begin at an offset, each with the first byte in the lowest bits.
    @inline(__always)
    func littleEndianWords(at offset: Int) -> (UInt64, UInt64) {
        precondition(offset >= 0 && count &- offset >= 16)
        return unsafe withUnsafeBytes {
            (
                unsafe UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
                unsafe UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self))
            )
        }
    }
}

extension MutableSpan<UInt8> {
    /// Returns the words that begin at an offset and six bytes later, each with the first byte in the highest bits.
    @inline(__always)
    func overlappingBigEndianWords(at offset: Int) -> (UInt64, UInt64) {
        precondition(offset >= 0 && count &- offset >= 14)
        return unsafe withUnsafeBytes {
            (
                unsafe UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
                unsafe UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: offset &+ 6, as: UInt64.self))
            )
        }
    }

    /// Overwrites two words that begin at an offset and a number of bytes later, the first byte with the lowest bits.
    @inline(__always)
    mutating func store(littleEndianWords words: (UInt64, UInt64), at offset: Int, stride: Int) {
        precondition(offset >= 0 && stride >= 0 && stride <= 8 && count &- offset >= 8 + stride)
        unsafe withUnsafeMutableBytes {
            unsafe $0.storeBytes(of: words.0.littleEndian, toByteOffset: offset, as: UInt64.self)
            unsafe $0.storeBytes(of: words.1.littleEndian, toByteOffset: offset &+ stride, as: UInt64.self)
        }
    }
}
