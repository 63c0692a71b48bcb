import Testing

@testable import PushCryptCore

@Suite struct SpanLoadStoreTests {
    @Test("Two words are read up to the last byte", arguments: [0, 1, 8]) func words(_ stride: Int)
    {
        let bytes = (0..<UInt8(9 + stride)).map { $0 }
        let words = bytes.span.words(at: 1, stride: stride)
        #expect(words.first == 0x0807_0605_0403_0201)
        #expect(words.second == 0x0807_0605_0403_0201 + 0x0101_0101_0101_0101 * UInt64(stride))
    }
}
