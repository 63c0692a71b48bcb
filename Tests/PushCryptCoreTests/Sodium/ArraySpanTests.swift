import Testing

@testable import PushCryptCore

/// The spans of arrays are the library's own, because those of the standard library need iOS 26.
@Suite struct ArraySpanTests {
    @Test(arguments: [0, 1, 3, 4096])
    func aSpanHasTheElements(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let span = bytes.span
        #expect(span.count == count)
        for index in 0..<count { #expect(span[index] == bytes[index]) }
    }

    @Test func aChangeLeavesCopiesAsTheyAre() {
        var bytes: [UInt8] = [1, 2, 3]
        let copy = bytes
        var span = bytes.mutableSpan
        span[1] = 9
        #expect(bytes == [1, 9, 3])
        #expect(copy == [1, 2, 3])
    }

    @Test func anEmptyArrayHasAnEmptySpan() {
        var bytes: [UInt8] = []
        let span = bytes.mutableSpan
        let isEmpty = span.isEmpty
        #expect(isEmpty)
    }

    @Test func otherPlainElementsHaveThemToo() {
        let words: [UInt32] = [1, .max]
        let span = words.span
        #expect(span[1] == .max)
    }
}
