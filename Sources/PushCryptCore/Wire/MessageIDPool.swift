/// Random message ids, drawn several at a time: each draw is a system call, which costs more than the bytes.
///
/// It cannot be copied, because a copy would give the same ids once more.
package struct MessageIDPool: ~Copyable {
    private var bytes: [UInt8]
    private var position: Int

    /// Makes an empty pool.
    ///
    /// - Parameter recipients: how many ids will be needed; up to 64 of them are drawn at once.
    package init(recipients: Int) {
        bytes = [UInt8](repeating: 0, count: min(max(recipients, 1), 64) * MessageID.length)
        position = bytes.count
    }

    /// Writes the next id into a buffer.
    mutating func writeNext(to buffer: inout [UInt8], at offset: Int) throws(PushCryptError) {
        if position == bytes.count {
            try RandomBytes.fill(&bytes, 0..<bytes.count)
            position = 0
        }
        for index in 0..<MessageID.length { buffer[offset + index] = bytes[position + index] }
        position += MessageID.length
    }
}
