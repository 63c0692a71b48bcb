import Testing

@testable import PushCryptCore

@Suite struct MessageFormatTests {
    @Test("The lengths are as documented") func hasTheLengthsOfTheTable() {
        #expect(MessageHeader.length == 32)
        #expect(MessageFormat.maximumPayloadLength == 65_535)
        #expect(MessageFormat.length(payload: 100, .anonymous) == 132)
        #expect(MessageFormat.length(payload: 100, .ed25519) == 204)
        #expect(MessageFormat.contextLength == "pushcrypt/v1/signature".utf8.count + 1 + 9 + 32)
    }

    @Test("There are two ways of authentication") func hasTheTwoAuthentications() {
        let known = (UInt8.min...UInt8.max).filter {
            MessageFormat.Authentication(rawValue: $0) != nil
        }
        #expect(known == [0, 1])
    }
}
