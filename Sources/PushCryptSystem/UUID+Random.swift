package import PushCryptFoundation

extension UUID {
    /// Returns a random UUID of version 4; on Linux, Foundation's initializer opens `/dev/urandom`
    /// each time.
    package static func random() -> UUID {
        var generator = SystemRandomNumberGenerator()
        return UUID(first: generator.next(), second: generator.next())
    }

    /// Creates a UUID of version 4 from random bits, and replaces six of them (RFC 9562 §5.4).
    init(first: UInt64, second: UInt64) {
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 {
            UInt8(truncatingIfNeeded: word >> (56 - 8 * index))
        }
        let high = first & ~0xF000 | 0x4000
        let low = second & ~(0b11 << 62) | 0b10 << 62
        self.init(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4),
                byte(high, 5), byte(high, 6),
                byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4),
                byte(low, 5),
                byte(low, 6), byte(low, 7)
            ))
    }
}
