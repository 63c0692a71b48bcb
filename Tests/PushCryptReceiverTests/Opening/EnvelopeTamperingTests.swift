import PushCryptCore
import PushCryptReceiver
import PushCryptTesting
import TestSupport
import Testing

@Suite struct EnvelopeTamperingTests {
    @Test(
        "Every flipped bit is detected", arguments: [0, 1, 100, 230, 900],
        [nil, TestKeys.Sender.acme])
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
            #expect(
                errorCode { try open(flipping(bit: bit, of: envelope), with: key) } == expected,
                "bit \(bit)")
        }
    }

    @Test(
        "A truncated or extended envelope is rejected", arguments: [0, 1, 300],
        [nil, TestKeys.Sender.acme])
    func itCannotBeCutOrLengthened(_ padding: Int, _ signer: TestKeys.Sender?) throws {
        let key = try TestKeys.device()
        var message = RawMessage(authentication: signer == nil ? 0 : 1, signer: signer)
        message.padding = [UInt8](repeating: 0, count: padding)
        let envelope = message.envelope()
        for length in 0..<envelope.count {
            let cut = Array(envelope[..<length])
            #expect(
                errorCode { try open(cut, with: key) }
                    == (length < 57 ? .malformedEnvelope : .decryptionFailed),
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
        #expect(
            errorCode { try IncomingMessage(opening: envelope, with: bob) } == .decryptionFailed)
    }
}
