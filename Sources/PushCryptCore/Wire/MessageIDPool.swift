/// Random message ids, drawn several at a time: each draw is a system call, which costs more than the bytes.
struct MessageIDPool: Sendable {
    private var bytes: [UInt8] = []
    private var position = 0

    /// How many ids the next draw brings.
    var batch = 1

    /// Writes the next id into a buffer.
    ///
    /// No id is ever given twice.
    mutating func writeNext(to buffer: inout [UInt8], at offset: Int) throws(PushCryptError) {
        if position == bytes.count {
            if bytes.count != batch * MessageID.length {
                bytes = [UInt8](repeating: 0, count: batch * MessageID.length)
            }
            try RandomBytes.fill(&bytes, 0..<bytes.count)
            position = 0
        }
        for index in 0..<MessageID.length { buffer[offset + index] = bytes[position + index] }
        position += MessageID.length
    }
}
