import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@Suite struct EnvelopeTests {
    @Test func hasTheOverheadOfTheTable() {
        #expect(Envelope.version == 1)
        #expect(Envelope.headerLength == 9)
        #expect(Envelope.overhead == 57)
        #expect(Envelope.payloadKey == "ENCRYPTED_DATA")
    }

    @Test(arguments: TestKeys.Device.allCases)
    func namesTheKeyByItsThumbprint(_ device: TestKeys.Device) throws {
        let envelope = RawMessage().envelope(to: device)
        #expect(try Envelope.keyID(of: envelope) == TestKeys.device(device).publicKey.keyID)
        #expect(try Envelope.keyID(of: envelope).bytes == Array(envelope[1..<9]))
    }

    @Test func everyOtherVersionIsUnknown() {
        var envelope = RawMessage().envelope()
        for version in UInt8.min...UInt8.max where version != 1 {
            envelope[0] = version
            #expect(errorCode { try Envelope.keyID(of: envelope) } == .unsupportedVersion)
        }
    }

    @Test func anotherVersionMayBeShorter() {
        #expect(errorCode { try Envelope.keyID(of: [2]) } == .unsupportedVersion)
    }

    @Test func anythingShorterThanAnEmptyBoxIsMalformed() {
        let envelope = RawMessage.envelope([])
        #expect(envelope.count == 57)
        #expect(errorCode { try Envelope.keyID(of: envelope) } == nil)
        for length in 0..<57 {
            #expect(errorCode { try Envelope.keyID(of: Array(envelope[..<length])) } == .malformedEnvelope, "\(length)")
        }
    }

    @Test(arguments: [0, 1, 100, 230, 900], [nil, TestKeys.Sender.acme])
    func noBitOfItCanBeFlipped(_ padding: Int, _ signer: TestKeys.Sender?) throws {
        let key = try TestKeys.device()
        var message = RawMessage(authentication: signer == nil ? 0 : 1, signer: signer)
        message.padding = [UInt8](repeating: 0, count: padding)
        let envelope = message.envelope()
        #expect(errorCode { try open(envelope, with: key) } == nil)
        // Every bit of the shorter ones, every ninth (all places in a byte) of the longer.
        for bit in stride(from: 0, to: envelope.count * 8, by: padding > 1 ? 9 : 1) {
            let expected: PushCryptError.Code =
                bit < 8 ? .unsupportedVersion : bit < 72 ? .unknownKey : .decryptionFailed
            #expect(errorCode { try open(flipping(bit: bit, of: envelope), with: key) } == expected, "bit \(bit)")
        }
    }

    @Test(arguments: [0, 1, 300], [nil, TestKeys.Sender.acme])
    func itCannotBeCutOrLengthened(_ padding: Int, _ signer: TestKeys.Sender?) throws {
        let key = try TestKeys.device()
        var message = RawMessage(authentication: signer == nil ? 0 : 1, signer: signer)
        message.padding = [UInt8](repeating: 0, count: padding)
        let envelope = message.envelope()
        for length in 0..<envelope.count {
            let cut = Array(envelope[..<length])
            #expect(
                errorCode { try open(cut, with: key) } == (length < 57 ? .malformedEnvelope : .decryptionFailed),
                "\(length)")
        }
        for byte in [0, 1, 0xFF] as [UInt8] {
            #expect(errorCode { try open(envelope + [byte], with: key) } == .decryptionFailed)
        }
    }

    @Test func anotherKeyOpensNothing() throws {
        let envelope = RawMessage().envelope(to: .alice)
        let bob = try TestKeys.device(.bob)
        #expect(errorCode { try open(envelope, with: bob) } == .unknownKey)
        #expect(errorCode { try IncomingMessage(opening: envelope, with: bob) } == .decryptionFailed)
    }
}
