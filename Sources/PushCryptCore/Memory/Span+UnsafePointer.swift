// Pointers for C, valid for one call and never null, as the headers of libsodium require.

extension Span<UInt8> {
    /// Calls a closure with a pointer to the bytes.
    func withUnsafePointer<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        unsafe withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else {
                // C requires an address for zero bytes, too, and reads nothing from it.
                return unsafe Swift.withUnsafePointer(to: UInt8(0)) { unsafe body($0) }
            }
            return unsafe body(start)
        }
    }
}

extension MutableSpan<UInt8> {
    /// Calls a closure with a pointer that overwrites the bytes.
    mutating func withUnsafeMutablePointer<Result>(_ body: (UnsafeMutablePointer<UInt8>) -> Result)
        -> Result
    {
        unsafe withUnsafeMutableBufferPointer { bytes in
            guard let start = bytes.baseAddress else {
                var nothing: UInt8 = 0
                return unsafe Swift.withUnsafeMutablePointer(to: &nothing) { unsafe body($0) }
            }
            return unsafe body(start)
        }
    }
}

extension [UInt8] {
    /// Calls a closure with a pointer that overwrites a part of the array; a range outside of it
    /// traps.
    mutating func withUnsafeMutablePointer<Result>(
        _ range: Range<Int>, _ body: (UnsafeMutablePointer<UInt8>) -> Result
    ) -> Result {
        // Optimized builds omit the check of the buffer pointer, but not this check.
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return unsafe withUnsafeMutableBufferPointer { bytes in
            var part = unsafe UnsafeMutableBufferPointer(rebasing: bytes[range]).mutableSpan
            return unsafe part.withUnsafeMutablePointer { unsafe body($0) }
        }
    }
}
