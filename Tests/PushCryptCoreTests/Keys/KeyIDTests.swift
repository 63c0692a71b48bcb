import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@Suite struct KeyIDTests {
    @Test("A key id has eleven characters, and the thumbprint begins with ten of them")
    func isElevenCharactersOfWhichTenBeginTheThumbprint() throws {
        for device in TestKeys.Device.allCases {
            let key = try TestKeys.device(device).publicKey
            let text = key.keyID.description
            #expect(text.count == 11)
            #expect(text == foundationBase64URL(key.keyID.bytes))
            #expect(key.kid.hasPrefix(text.prefix(10)))
            #expect(key.kid.count == 43)
        }
    }

    @Test("A key id is read and written in order") func isReadAndWrittenInOrder() {
        let bytes: [UInt8] = [9, 0xFE, 2, 3, 4, 5, 6, 7, 0x80, 9]
        let id = KeyID(bytes.span, at: 1)
        #expect(id.bytes == Array(bytes[1..<9]))
        var buffer = [UInt8](repeating: 0, count: 11)
        id.write(to: &buffer, at: 2)
        #expect(buffer == [0, 0] + bytes[1..<9] + [0])
    }

    @Test("Only the same bytes are equal") func equalsTheSameBytesOnly() {
        let bytes = [UInt8](1...8)
        let id = KeyID(bytes.span, at: 0)
        for bit in 0..<64 {
            let other = flipping(bit: bit, of: bytes)
            #expect(KeyID(other.span, at: 0) != id)
        }
    }
}
