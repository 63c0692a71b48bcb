/// 32 public bytes, such as a public key or a hash, stored inline so that a key needs no
/// allocation.
package struct Bytes32: Hashable, Sendable {
    // Not `SIMD4<UInt64>`: Swift 6.3.1 writes values aligned to 32 bytes past the end of a task's
    // memory.
    private var first: UInt64 = 0
    private var second: UInt64 = 0
    private var third: UInt64 = 0
    private var fourth: UInt64 = 0

    /// Creates 32 zero bytes.
    package init() {}

    /// Copies 32 bytes.
    ///
    /// - Throws: ``PushCryptError`` with `invalidKey` for another length.
    package init(_ bytes: Span<UInt8>) throws(PushCryptError) {
        guard bytes.count == 32 else {
            throw PushCryptError(
                .invalidKey, "A key has 32 bytes, and this key has \(bytes.count). Check the key.")
        }
        unsafe withUnsafeMutablePointer { target in
            for index in 0..<32 { unsafe target[index] = bytes[index] }
        }
    }

    /// The bytes as an array.
    package var array: [UInt8] { (0..<32).map { self[$0] } }

    /// One of the 32 bytes.
    package subscript(index: Int) -> UInt8 {
        precondition((0..<32).contains(index))
        return unsafe withUnsafePointer { unsafe $0[index] }
    }

    /// Writes the bytes into a buffer.
    package func write(to buffer: inout [UInt8], at offset: Int) {
        for index in 0..<32 { buffer[offset + index] = self[index] }
    }

    /// Calls a closure with a pointer to the bytes.
    func withUnsafePointer<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        unsafe Swift.withUnsafePointer(to: self) { words in
            unsafe words.withMemoryRebound(to: UInt8.self, capacity: 32) { unsafe body($0) }
        }
    }

    /// Calls a closure with a pointer that overwrites the bytes.
    mutating func withUnsafeMutablePointer<Result>(_ body: (UnsafeMutablePointer<UInt8>) -> Result)
        -> Result
    {
        unsafe Swift.withUnsafeMutablePointer(to: &self) { words in
            unsafe words.withMemoryRebound(to: UInt8.self, capacity: 32) { unsafe body($0) }
        }
    }
}
