internal import PushCryptCore

extension Ledger {
    /// The 16 bytes that stand for a name or a message in a ledger: a keyed hash, or the message's
    /// ID.
    ///
    /// It's stored without an allocation, because each access reads 1,500 entries with four of
    /// them.
    struct Digest: Sendable, Hashable {
        static let length = 16

        /// The digest of an entry without the name or the message.
        static let none = Digest(start: 0, end: 0)

        private let start: UInt64
        private let end: UInt64

        private init(start: UInt64, end: UInt64) {
            self.start = start
            self.end = end
        }

        /// Reads the 16 bytes at an offset.
        init(_ bytes: Span<UInt8>, at offset: Int = 0) {
            self.init(
                start: UInt64(bigEndianBytes: bytes, at: offset),
                end: UInt64(bigEndianBytes: bytes, at: offset + 8))
        }

        init(_ message: MessageID) {
            let bytes = message.bytes
            self.init(bytes.span)
        }

        /// Writes the 16 bytes into a buffer.
        func write(to buffer: inout [UInt8], at offset: Int) {
            buffer.store(bigEndian: start, at: offset)
            buffer.store(bigEndian: end, at: offset + 8)
        }
    }
}
