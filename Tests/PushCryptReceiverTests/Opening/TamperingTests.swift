import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// Changed envelopes, which all lead to the fallback.
@Suite struct TamperingTests {
    private let device: RecipientPrivateKey
    private let inbox: PushInbox

    init() throws {
        device = try TestKeys.device()
        var configuration = PushConfiguration(
            keys: InMemoryKeyStore([device, try TestKeys.device(.bob)]),
            senderPolicy: .signed(by: [try TestKeys.sender().publicKey]))
        configuration.keepsUserInfoSealed = false
        inbox = PushInbox(configuration)
    }

    /// Returns envelopes of several lengths: without padding, and of two buckets.
    private func envelopes() throws -> [[UInt8]] {
        let server = try TestKeys.sender()
        return try [(1, Padding.none), (20, .buckets), (300, .none)].map { length, padding in
            let push = try Sealer(.signed(by: server), padding: padding)
                .seal(json: RoundTripTests.payload(textLength: length), for: device.publicKey)
            return try SealedValue(json: push.payload, from: .apns).envelope()
        }
    }

    private func outcome(_ envelope: [UInt8]) throws -> Presented {
        let json =
            #"{"aps":{"alert":{"title":"T","subtitle":"S","body":"B"}},"ENCRYPTED_DATA":"\#(Base64URL.encode(envelope))"}"#
        return inbox.open(try DeliveredNotification(json: Array(json.utf8)))
    }

    private func expectFallback(_ shown: Presented, _ code: PushCryptError.Code, _ comment: Comment)
    {
        #expect(shown.outcome.failure?.code == code, comment)
        #expect(shown.content.body == "(Encrypted)", comment)
        #expect(shown.content.title.isEmpty && shown.content.subtitle.isEmpty, comment)
        #expect(shown.content.originalPayload == nil, comment)
    }

    @Test("Each flipped bit leads to the fallback") func eachFlippedBitLeadsToTheFallback() throws {
        for envelope in try envelopes() {
            #expect(try outcome(envelope).outcome.failure == nil)
            // All bits of the envelope's header, and some of the sealed box.
            for bit in 0..<(envelope.count * 8)
            where bit < 128 || bit % LongRun.count(11, full: 1) == 0 {
                var changed = envelope
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                let code: PushCryptError.Code =
                    switch bit / 8 {
                    case 0: .unsupportedVersion
                    case 1...8: .unknownKey
                    default: .decryptionFailed
                    }
                expectFallback(try outcome(changed), code, "bit \(bit) of \(envelope.count) bytes")
            }
        }
    }

    @Test("Each truncation leads to the fallback") func eachTruncationLeadsToTheFallback() throws {
        for envelope in try envelopes() {
            for length in 0..<envelope.count {
                expectFallback(
                    try outcome(Array(envelope.prefix(length))),
                    length < 57 ? .malformedEnvelope : .decryptionFailed,
                    "\(length) of \(envelope.count) bytes")
            }
        }
    }

    @Test("An appended byte leads to the fallback") func appendedByteLeadsToTheFallback() throws {
        for envelope in try envelopes() {
            expectFallback(try outcome(envelope + [0]), .decryptionFailed, "appended")
        }
    }

    @Test("Another key ID of the device leads to the fallback")
    func anotherKeyIDOfTheDeviceLeadsToTheFallback() throws {
        for envelope in try envelopes() {
            let other = try TestKeys.device(.bob).publicKey.keyID.bytes
            expectFallback(
                try outcome([1] + other + envelope.dropFirst(9)), .decryptionFailed, "another id")
        }
    }

    @Test("Each truncation of the text leads to the fallback")
    func eachTruncationOfTheTextLeadsToTheFallback() throws {
        let text = Base64URL.encode(try #require(try envelopes().first))
        for length in 0..<text.utf8.count {
            let json = #"{"aps":{"alert":"B"},"ENCRYPTED_DATA":"\#(text.prefix(length))"}"#
            let shown = inbox.open(try DeliveredNotification(json: Array(json.utf8)))
            #expect(shown.outcome.failure != nil)
            #expect(shown.content.body == "(Encrypted)")
        }
    }
}
