#if APNs
package import PushCryptFoundation

extension UUID {
    /// Returns a random UUID of version 4.
    ///
    /// `UUID()` opens `/dev/urandom` each time on Linux. Swift's generator doesn't.
    package static func random() -> UUID {
        var generator = SystemRandomNumberGenerator()
        let halves = [generator.next(), generator.next()]
        var bytes = (0..<16).map { UInt8(truncatingIfNeeded: halves[$0 / 8] >> ($0 % 8 * 8)) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
                bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}
#endif
