import PushCryptCore
import Testing

@Suite struct BigEndianTests {
    @Test("An integer is read and written with the most significant byte first")
    func order() {
        let value: UInt64 = 0x0102_0304_0506_0708
        let bytes: [UInt8] = [9, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        #expect(UInt64(bigEndianBytes: bytes.span, at: 1) == value)
        var buffer = [UInt8](repeating: 7, count: 10)
        buffer.store(bigEndian: value, at: 1)
        #expect(buffer == [7, 1, 2, 3, 4, 5, 6, 7, 8, 7])
    }
}
