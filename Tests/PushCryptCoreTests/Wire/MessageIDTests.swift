import PushCryptCore
import TestSupport
import Testing

@Suite struct MessageIDTests {
    @Test("An id has 16 bytes") func isSixteenBytes() throws {
        let id = try MessageID([UInt8](0..<16))
        #expect(id.bytes == [UInt8](0..<16))
        #expect(id.description == "AAECAwQFBgcICQoLDA0ODw")
        #expect(id == (try MessageID([UInt8](0..<16))))
        #expect(id != (try MessageID([UInt8](1..<17))))
    }

    @Test("Another number of bytes is rejected", arguments: [0, 1, 8, 15, 17, 32])
    func refusesAnyOtherNumber(_ count: Int) {
        #expect(
            errorCode { try MessageID([UInt8](repeating: 0, count: count)) } == .malformedMessage)
    }
}
