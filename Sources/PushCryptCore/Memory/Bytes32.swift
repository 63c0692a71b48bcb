/// 32 bytes that are no secret, such as a public key or a hash, held in place so that a key costs no allocation.
package struct Bytes32: Hashable, Sendable {
    /// In memory order: the bytes of the structure are the 32 bytes themselves.
    ///
    /// Not `SIMD4<UInt64>`, which is aligned to 32 bytes: a value with more than 16 that lives across an `await` is written
    /// past the end of the task's memory by Swift 6.3.1.
    private struct Words: Hashable, Sendable {
        var first: UInt64 = 0
        var second: UInt64 = 0
        var third: UInt64 = 0
        var fourth: UInt64 = 0
    }

    private var words = Words()

    /// All zero.
    package init() {}

    /// Copies 32 bytes.
    package init(_ bytes: Span<UInt8>) throws(PushCryptError) {
        guard bytes.count == 32 else {
            throw PushCryptError(.invalidKey, "A key is 32 bytes long; this has \(bytes.count).")
        }
        unsafe lendMutable { target in
            for index in 0..<32 { unsafe target[index] = bytes[index] }
        }
    }

    /// The bytes as an array.
    package var array: [UInt8] { (0..<32).map { self[$0] } }

    /// One of the 32 bytes.
    package subscript(index: Int) -> UInt8 {
        let word =
            switch index / 8 {
            case 0: words.first
            case 1: words.second
            case 2: words.third
            default: words.fourth
            }
        return UInt8(truncatingIfNeeded: word.littleEndian >> UInt64(index % 8 * 8))
    }

    /// Writes the bytes into a buffer.
    package func write(to buffer: inout [UInt8], at offset: Int) {
        for index in 0..<32 { buffer[offset + index] = self[index] }
    }

    /// Lends the bytes to C.
    func lend<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        unsafe withUnsafePointer(to: words) { words in
            unsafe words.withMemoryRebound(to: UInt8.self, capacity: 32) { unsafe body($0) }
        }
    }

    /// Lends the bytes to C, to be overwritten.
    mutating func lendMutable<Result>(_ body: (UnsafeMutablePointer<UInt8>) -> Result) -> Result {
        unsafe withUnsafeMutablePointer(to: &words) { words in
            unsafe words.withMemoryRebound(to: UInt8.self, capacity: 32) { unsafe body($0) }
        }
    }
}
