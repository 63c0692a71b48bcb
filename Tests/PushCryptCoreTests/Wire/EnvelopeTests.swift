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
        #expect(Envelope.receiptKey == "pushcrypt.receipt")
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

    @Test("An envelope that is shorter than an empty box is rejected")
    func anythingShorterThanAnEmptyBoxIsMalformed() {
        let envelope = RawMessage.envelope([])
        #expect(envelope.count == 57)
        #expect(errorCode { try Envelope.keyID(of: envelope) } == nil)
        for length in 0..<57 {
            #expect(
                errorCode { try Envelope.keyID(of: Array(envelope[..<length])) }
                    == .malformedEnvelope, "\(length)")
        }
    }
}
