extension [UInt8] {
    /// Copies the bytes of a span, in one go where they are many.
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
