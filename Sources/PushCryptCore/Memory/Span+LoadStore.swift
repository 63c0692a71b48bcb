// Eight bytes at a time, with one check of the bounds. Not libsodium's business, but it takes `unsafe`, and so it stands
// where a reviewer of memory safety looks. The standard library's own checked loads and stores come with later versions.

extension Span<UInt8> {
    /// The eight bytes from a place on, the first in the lowest bits.
    @inline(__always)
    package func littleEndianWord(at offset: Int) -> UInt64 {
        precondition(offset >= 0 && count &- offset >= 8)
        return unsafe withUnsafeBytes {
            unsafe UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
    }
}

extension MutableSpan<UInt8> {
    /// The eight bytes from a place on, the first in the highest bits.
    @inline(__always)
    func bigEndianWord(at offset: Int) -> UInt64 {
        precondition(offset >= 0 && count &- offset >= 8)
        return unsafe withUnsafeBytes {
            unsafe UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
    }

    /// Overwrites the eight bytes from a place on, the first with the lowest bits.
    @inline(__always)
    mutating func store(littleEndianWord word: UInt64, at offset: Int) {
        precondition(offset >= 0 && count &- offset >= 8)
        unsafe withUnsafeMutableBytes {
            unsafe $0.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
        }
    }
}
