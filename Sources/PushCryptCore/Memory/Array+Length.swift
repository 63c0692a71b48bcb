extension [UInt8] {
    /// Appends a string in UTF-8 after its length, 4 bytes, the most significant byte first.
    package mutating func append(withLength text: String) {
        append(length: text.utf8.count)
        append(contentsOf: text.utf8)
    }

    /// Appends bytes after their length, 4 bytes, the most significant byte first.
    package mutating func append(withLength bytes: [UInt8]) {
        append(length: bytes.count)
        append(contentsOf: bytes)
    }

    private mutating func append(length: Int) {
        // By hand, because the generic method costs as much as a hash here.
        append(UInt8(truncatingIfNeeded: length >> 24))
        append(UInt8(truncatingIfNeeded: length >> 16))
        append(UInt8(truncatingIfNeeded: length >> 8))
        append(UInt8(truncatingIfNeeded: length))
    }
}
