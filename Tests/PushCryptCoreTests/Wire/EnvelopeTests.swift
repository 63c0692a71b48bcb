import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@Suite struct EnvelopeTests {
    @Test("An envelope has the documented overhead") func hasTheOverheadOfTheTable() {
        #expect(Envelope.version == 1)
        #expect(Envelope.headerLength == 9)
        #expect(Envelope.overhead == 57)
        #expect(Envelope.payloadKey == "ENCRYPTED_DATA")
    }

    @Test("An envelope names the key by its thumbprint", arguments: TestKeys.Device.allCases)
    func namesTheKeyByItsThumbprint(_ device: TestKeys.Device) throws {
        let envelope = RawMessage().envelope(to: device)
        #expect(try Envelope.keyID(of: envelope) == TestKeys.device(device).publicKey.keyID)
        #expect(try Envelope.keyID(of: envelope).bytes == Array(envelope[1..<9]))
    }

    @Test("An unknown version is rejected") func everyOtherVersionIsUnknown() {
        var envelope = RawMessage().envelope()
        for version in UInt8.min...UInt8.max where version != 1 {
            envelope[0] = version
            #expect(errorCode { try Envelope.keyID(of: envelope) } == .unsupportedVersion)
        }
    }

    @Test("An unknown version is reported for a short envelope") func anotherVersionMayBeShorter() {
        #expect(errorCode { try Envelope.keyID(of: [2]) } == .unsupportedVersion)
    }

    @Test("An envelope that is shorter than an empty box is rejected") func anythingShorterThanAnEmptyBoxIsMalformed() {
        let envelope = RawMessage.envelope([])
        #expect(envelope.count == 57)
        #expect(errorCode { try Envelope.keyID(of: envelope) } == nil)
        for length in 0..<57 {
            #expect(errorCode { try Envelope.keyID(of: Array(envelope[..<length])) } == .malformedEnvelope, "\(length)")
        }
    }

    @Test("Every flipped bit is detected", arguments: [0, 1, 100, 230, 900], [nil, TestKeys.Sender.acme])
    func noBitOfItCanBeFlipped(_ padding: Int, _ signer: TestKeys.Sender?) throws {
        let key = try TestKeys.device()
        var message = RawMessage(authentication: signer == nil ? 0 : 1, signer: signer)
        message.padding = [UInt8](repeating: 0, count: padding)
        let envelope = message.envelope()
        #expect(errorCode { try open(envelope, with: key) } == nil)
        // Every bit of short envelopes, and every ninth bit of long envelopes.
        for bit in stride(from: 0, to: envelope.count * 8, by: padding > 1 ? 9 : 1) {
            let expected: PushCryptError.Code =
                bit < 8 ? .unsupportedVersion : bit < 72 ? .unknownKey : .decryptionFailed
            #expect(errorCode { try open(flipping(bit: bit, of: envelope), with: key) } == expected, "bit \(bit)")
        }
    }

    @Test("A truncated or extended envelope is rejected", arguments: [0, 1, 300], [nil, TestKeys.Sender.acme])
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

    @Test("Another key does not open an envelope") func anotherKeyOpensNothing() throws {
        let envelope = RawMessage().envelope(to: .alice)
        let bob = try TestKeys.device(.bob)
        #expect(errorCode { try open(envelope, with: bob) } == .unknownKey)
        #expect(errorCode { try IncomingMessage(opening: envelope, with: bob) } == .decryptionFailed)
    }
}
