// How bytes are lent to C: for the length of one call, as a pointer that is never null (libsodium's headers require that),
// to memory that the caller owns. Nothing outside of this folder sees a pointer.

extension Span<UInt8> {
    /// Lends the bytes to be read.
    func lend<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        unsafe withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else {
                // No bytes, no address; C wants one all the same and reads nothing from it.
                return unsafe withUnsafePointer(to: UInt8(0)) { unsafe body($0) }
            }
            return unsafe body(start)
        }
    }
}

extension MutableSpan<UInt8> {
    /// Lends the bytes to be overwritten.
    mutating func lendMutable<Result>(_ body: (UnsafeMutablePointer<UInt8>) -> Result) -> Result {
        unsafe withUnsafeMutableBufferPointer { bytes in
            guard let start = bytes.baseAddress else {
                var nothing: UInt8 = 0
                return unsafe withUnsafeMutablePointer(to: &nothing) { unsafe body($0) }
            }
            return unsafe body(start)
        }
    }
}

extension [UInt8] {
    /// Lends a part of the bytes to be overwritten.
    ///
    /// A range that is not inside of the array is a mistake in this package and traps, as any such access of an array
    /// does.
    mutating func lendMutable<Result>(
        _ range: Range<Int>, _ body: (UnsafeMutablePointer<UInt8>) -> Result
    ) -> Result {
        // The pointer's own check is left out of optimised builds; this one is not.
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return unsafe withUnsafeMutableBufferPointer { bytes in
            var part = unsafe UnsafeMutableBufferPointer(rebasing: bytes[range]).mutableSpan
            return unsafe part.lendMutable { unsafe body($0) }
        }
    }
}
