// The standard library has these two for all arrays, but on Apple's systems only since iOS 26, macOS 26 and watchOS 26,
// although `Span` itself is there on older ones. What is hidden here is the difference for arrays of plain values, whose
// bytes lie in one place and are never bridged. Of two members of one name the compiler takes the one for fewer types, so
// every file of this package that says `span` of such an array means these.
extension Array where Element: BitwiseCopyable {
    /// The elements, to be read for as long as the array is not changed.
    package var span: Span<Element> {
        @_lifetime(borrow self)
        borrowing get {
            let elements = unsafe withUnsafeBufferPointer { unsafe $0 }
            return unsafe _overrideLifetime(elements.span, borrowing: self)
        }
    }

    /// The elements, to be read and changed for as long as nobody else uses the array.
    package var mutableSpan: MutableSpan<Element> {
        @_lifetime(&self)
        mutating get {
            let elements = unsafe withUnsafeMutableBufferPointer { unsafe $0 }
            return unsafe _overrideLifetime(elements.mutableSpan, mutating: &self)
        }
    }
}
