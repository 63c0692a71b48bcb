// Apple's systems have these properties since iOS 26, macOS 26 and watchOS 26 only. The compiler
// prefers these because they are for fewer types. The elements of such an array are contiguous and
// never bridged.
extension Array where Element: BitwiseCopyable {
    /// The elements, valid until the array changes.
    package var span: Span<Element> {
        @_lifetime(borrow self) @inlinable @inline(__always)
        borrowing get {
            let elements = unsafe withUnsafeBufferPointer { unsafe $0 }
            return unsafe _overrideLifetime(elements.span, borrowing: self)
        }
    }

    /// The elements for reading and writing, with exclusive access to the array.
    package var mutableSpan: MutableSpan<Element> {
        @_lifetime(&self) @inlinable @inline(__always)
        mutating get {
            let elements = unsafe withUnsafeMutableBufferPointer { unsafe $0 }
            return unsafe _overrideLifetime(elements.mutableSpan, mutating: &self)
        }
    }
}

extension [UInt8] {
    /// Creates an array with the bytes of a span.
    package init(copying bytes: Span<UInt8>) {
        self.init(repeating: 0, count: bytes.count)
        copy(bytes, to: 0)
    }

    /// Overwrites a part of the array with the bytes of a span.
    package mutating func copy(_ bytes: Span<UInt8>, to offset: Int) {
        var target = mutableSpan
        for index in 0..<bytes.count { target[offset &+ index] = bytes[index] }
    }
}
