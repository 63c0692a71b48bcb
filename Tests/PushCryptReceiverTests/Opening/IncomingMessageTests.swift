import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// Valid and invalid messages, sealed with libsodium only.
@Suite struct IncomingMessageTests {
    let key: RecipientPrivateKey

    init() throws {
        key = try TestKeys.device()
    }

    private func code(_ message: [UInt8]) -> PushCryptError.Code? {
        errorCode { try open(RawMessage.envelope(message), with: key) }
    }

    @Test("A message is parsed", arguments: [0, 1, 229, 4000], [nil, TestKeys.Sender.acme])
    func takesAMessageApart(_ padding: Int, _ signer: TestKeys.Sender?) throws {
        var raw = RawMessage(authentication: signer == nil ? 0 : 1, signer: signer)
        raw.padding = [UInt8](repeating: 0, count: padding)
        let message = try open(raw.envelope(), with: key)
        #expect(message.authentication == (signer == nil ? .anonymous : .ed25519))
        #expect(message.kind == .notification)
        #expect(message.lifetime == 604_800)
        #expect(message.id.bytes == raw.id)
        #expect(message.issuedAt == raw.issuedAt)
        #expect(message.payload == raw.payload)
        #expect(
            try message.withPayload { (bytes) throws(PushCryptError) in bytes.count }
                == raw.payload.count)
        #expect(
            message.signer
                == (try signer.map { (signer) throws in try TestKeys.sender(signer).publicKey.keyID
                }))
    }

    @Test("A message that is shorter than its header is rejected")
    func aMessageShorterThanItsHeaderIsMalformed() {
        for length in 0..<32 {
            for first in [0, 1, 9] as [UInt8] {
                let message = Array(([first] + [UInt8](repeating: 1, count: 31))[..<length])
                #expect(code(message) == .malformedMessage, "\(length)")
            }
        }
        #expect(
            code(RawMessage(payload: []).bytes()) == nil,
            "The JSON scanner rejects an empty payload.")
    }

    @Test("A signed message that is shorter than its signature is rejected")
    func aSignedMessageShorterThanItsSignatureIsMalformed() {
        let header = RawMessage(authentication: 1, payload: []).unsignedBytes
        for length in 32..<104 {
            let message = header + [UInt8](repeating: 0, count: length - 32)
            #expect(code(message) == .malformedMessage, "\(length)")
        }
        #expect(code(header + [UInt8](repeating: 0, count: 72)) == nil)
    }

    @Test(
        "A payload that is longer than its message is rejected",
        arguments: [nil, TestKeys.Sender.acme])
    func aPayloadLongerThanTheMessageIsMalformed(_ signer: TestKeys.Sender?) {
        var raw = RawMessage(authentication: signer == nil ? 0 : 1, signer: signer)
        raw.padding = [0, 0, 0]
        for (claimed, isGood) in [
            (0, false), (13, true), (14, false), (100, false), (0xFF00, false), (0xFFFF, false),
        ] {
            raw.claimedLength = claimed
            // With a smaller length, the rest of the payload is padding that is not zero.
            #expect(code(raw.bytes()) == (isGood ? nil : .malformedMessage), "\(claimed)")
        }
    }

    @Test(
        "Padding that is not zero is rejected", arguments: [1, 2, 40], [nil, TestKeys.Sender.acme])
    func paddingThatIsNotZeroIsMalformed(_ count: Int, _ signer: TestKeys.Sender?) {
        for place in 0..<count {
            for bit in 0..<8 {
                var raw = RawMessage(authentication: signer == nil ? 0 : 1, signer: signer)
                raw.padding = [UInt8](repeating: 0, count: count)
                raw.padding[place] = 1 << UInt8(bit)
                #expect(code(raw.bytes()) == .malformedMessage)
            }
        }
    }

    @Test("An unknown authentication is rejected") func everyOtherAuthenticationIsUnknown() {
        for authentication in UInt8(2)...UInt8.max {
            #expect(
                code(RawMessage(authentication: authentication).bytes())
                    == .unsupportedAuthentication)
        }
    }

    @Test("An unknown kind is rejected") func unknownKindIsRejected() {
        for kind in UInt8.min...UInt8.max {
            #expect(
                code(RawMessage(kind: kind).bytes())
                    == ((1...9).contains(kind) ? nil : .unsupportedKind))
        }
    }

    @Test("A lifetime is between 1 second and 30 days", arguments: [nil, TestKeys.Sender.acme])
    func lifetimeIsBetween1SecondAnd30Days(_ signer: TestKeys.Sender?) {
        for (lifetime, isValid) in [
            (0, false), (1, true), (2_592_000, true), (2_592_001, false), (.max, false),
        ] as [(UInt32, Bool)] {
            let raw = RawMessage(
                authentication: signer == nil ? 0 : 1, lifetime: lifetime, signer: signer)
            #expect(code(raw.bytes()) == (isValid ? nil : .malformedMessage), "\(lifetime)")
        }
    }

    @Test("Every message has one encoding") func everyMessageHasOneSpelling() throws {
        // A message from the parsed parts has the same bytes.
        for (padding, signer) in [(0, nil), (5, nil), (0, TestKeys.Sender.acme), (64, .mallory)] {
            var raw = RawMessage(
                authentication: signer == nil ? 0 : 1, kind: 6, lifetime: 90, signer: signer)
            raw.padding = [UInt8](repeating: 0, count: padding)
            let read = try open(raw.envelope(), with: key)
            let again = RawMessage(
                authentication: read.authentication.rawValue, kind: read.kind.rawValue,
                lifetime: read.lifetime,
                id: read.id.bytes, issuedAt: read.issuedAt,
                payload: read.payload, padding: raw.padding, signer: signer)
            #expect(again.bytes() == raw.bytes())
        }
    }
}
