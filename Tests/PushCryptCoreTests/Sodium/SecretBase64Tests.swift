import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@Suite struct SecretBase64Tests {
    private func decode(_ text: String) throws -> [UInt8] {
        let bytes = Array(text.utf8)
        return try SecretBase64.decodeKey(bytes.span).copy
    }

    @Test("A private key is encoded and decoded") func goesBothWays() throws {
        var random = SeededRandom(seed: 2)
        for _ in 0..<100 {
            let key = random.bytes(32)
            #expect(try decode(foundationBase64URL(key)) == key)
            var text = [UInt8](repeating: 7, count: 47)
            var span = text.mutableSpan
            SecretBase64.encodeKey(try SecretBytes(key), into: &span, at: 2)
            #expect(text == [7, 7] + Array(foundationBase64URL(key).utf8) + [0, 7])
        }
    }

    @Test("A buffer that is too short stays unchanged") func writesNothingWhereThereIsNoRoom()
        throws
    {
        let key = try SecretBytes([UInt8](1...32))
        for (room, offset) in [(43, 0), (44, 1), (0, 0), (44, -1)] {
            var text = [UInt8](repeating: 7, count: room)
            var span = text.mutableSpan
            SecretBase64.encodeKey(key, into: &span, at: offset)
            #expect(text.allSatisfy { $0 == 7 })
        }
    }

    @Test("Another number of characters is rejected") func refusesEveryOtherLength() {
        for count in (0...90) where count != 43 {
            #expect(
                errorCode { try decode(String(repeating: "A", count: count)) } == .malformedJWK,
                "\(count)")
        }
    }

    /// Returns the number of accepted bytes outside of the alphabet, at any position of a valid
    /// text.
    private func acceptedStrangers(_ bytes: ClosedRange<UInt8>) -> Int {
        let good = [UInt8](foundationBase64URL([UInt8](1...32)).utf8)
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var accepted = 0
        for place in good.indices.dropLast() {
            for byte in bytes where !alphabet.contains(byte) {
                var text = good
                text[place] = byte
                if errorCode({ try SecretBase64.decodeKey(text.span) }) != .malformedJWK {
                    accepted += 1
                }
            }
        }
        return accepted
    }

    @Test("An ASCII character outside of the alphabet is rejected")
    func refusesEveryASCIICharacterOutsideOfTheAlphabet() {
        #expect(acceptedStrangers(0...0x7F) == 0)
    }

    @Test("A byte that is not ASCII is rejected") func refusesEveryByteThatIsNotASCII() {
        #expect(acceptedStrangers(0x80...0xFF) == 0)
    }

    @Test("Surplus bits are rejected") func refusesBitsThatBelongToNoByte() throws {
        // 43 characters have 258 bits, so the lowest two bits of the last character must be zero.
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        for (value, character) in alphabet.enumerated() {
            let text = String(repeating: "A", count: 42) + String(character)
            #expect((errorCode { try decode(text) } == nil) == (value % 4 == 0), "\(character)")
        }
    }
}
