import Testing

@testable import PushCryptCore

/// The package has its own spans of arrays, because those of the standard library need iOS 26.
@Suite struct ArraySpanTests {
    @Test("A span has the elements of its array", arguments: [0, 1, 3, 4096])
    func aSpanHasTheElements(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let span = bytes.span
        #expect(span.count == count)
        for index in 0..<count { #expect(span[index] == bytes[index]) }
    }

    @Test("A change through a span does not change copies") func aChangeLeavesCopiesAsTheyAre() {
        var bytes: [UInt8] = [1, 2, 3]
        let copy = bytes
        var span = bytes.mutableSpan
        span[1] = 9
        #expect(bytes == [1, 9, 3])
        #expect(copy == [1, 2, 3])
    }

    @Test("An empty array has an empty span") func anEmptyArrayHasAnEmptySpan() {
        var bytes: [UInt8] = []
        let span = bytes.mutableSpan
        let isEmpty = span.isEmpty
        #expect(isEmpty)
    }

    @Test("Arrays of other plain elements have spans") func otherPlainElementsHaveThemToo() {
        let words: [UInt32] = [1, .max]
        let span = words.span
        #expect(span[1] == .max)
    }
}
