import PushCryptCore
import TestSupport
import Testing

@Suite struct Bytes32Tests {
    @Test("32 bytes are stored in order") func holdsThirtyTwoBytesInOrder() throws {
        let bytes = [UInt8](100..<132)
        let value = try Bytes32(bytes.span)
        #expect(value.array == bytes)
        #expect((0..<32).allSatisfy { value[$0] == bytes[$0] })
        #expect(Bytes32().array == [UInt8](repeating: 0, count: 32))
    }

    @Test("Another number of bytes is rejected", arguments: [0, 1, 31, 33, 64])
    func refusesAnyOtherNumber(_ count: Int) {
        let bytes = [UInt8](repeating: 1, count: count)
        #expect(errorCode { try Bytes32(bytes.span) } == .invalidKey)
    }

    @Test("The bytes are written at an offset") func isWrittenToItsPlace() throws {
        let bytes = [UInt8](1...32)
        var buffer = [UInt8](repeating: 0, count: 35)
        try Bytes32(bytes.span).write(to: &buffer, at: 2)
        #expect(buffer == [0, 0] + bytes + [0])
    }

    @Test("Only the same bytes are equal") func equalsTheSameBytesOnly() throws {
        let bytes = [UInt8](1...32)
        let value = try Bytes32(bytes.span)
        #expect(value == (try Bytes32(bytes.span)))
        for bit in 0..<256 {
            let other = flipping(bit: bit, of: bytes)
            #expect(value != (try Bytes32(other.span)), "bit \(bit)")
        }
    }

    // The memory of a task is aligned to 16 bytes. Swift 6.3.1 writes values with a larger
    // alignment past its end.
    @Test("The alignment is safe for asynchronous functions") func anAsynchronousFunctionMayHoldIt()
    {
        #expect(MemoryLayout<Bytes32>.alignment <= 16 && MemoryLayout<Bytes32>.size == 32)
        #expect(
            MemoryLayout<RecipientPublicKey>.alignment <= 16
                && MemoryLayout<VerificationKey>.alignment <= 16)
    }
}
