import PushCryptCore
import PushCryptSender
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// Sealed messages, compared with bytes from the tables of the format.
@Suite struct OutgoingMessageTests {
    let payload = Array(#"{"aps":{"alert":{"body":"Grüße"}}}"#.utf8)

    private func seal(
        to device: TestKeys.Device = .alice, signer: TestKeys.Sender? = nil, padding: Int = 0,
        issuedAt: UInt64 = 0
    ) throws -> [UInt8] {
        let signed = signer == nil ? 0 : 72
        var message = try OutgoingMessage(
            .voip, payload: payload.span, paddedTo: 32 + payload.count + padding + signed,
            authentication: signer == nil ? .anonymous : .ed25519)
        let recipient = MessageRecipient(
            try TestKeys.device(device).publicKey, lifetime: 0x0102_0304,
            signer: try signer.map { (sender) throws in Signer(try TestKeys.sender(sender)) })
        var envelope = [UInt8](repeating: 0, count: 57 + message.length)
        try message.seal(for: recipient, issuedAt: issuedAt, into: &envelope, at: 0)
        return envelope
    }

    /// Returns the message in an envelope, from libsodium only.
    private func message(_ envelope: [UInt8], _ device: TestKeys.Device = .alice) -> [UInt8] {
        RawSodium.open(
            Array(envelope[9...]), RawMessage.publicKey(of: device), Array(device.rawValue.utf8)
        ).message
    }

    @Test(
        "An anonymous message has the documented format", arguments: [0, 1, 57, 1000],
        [0, 1, 0x0102_0304_0506_0708, UInt64.max])
    func anAnonymousMessageIsAsTheTableSays(_ padding: Int, _ issuedAt: UInt64) throws {
        let envelope = try seal(padding: padding, issuedAt: issuedAt)
        #expect(Array(envelope[..<9]) == RawMessage.header(for: .alice))
        let message = message(envelope)
        let expected = RawMessage(
            kind: 3, lifetime: 0x0102_0304, id: Array(message[16..<32]), issuedAt: issuedAt,
            payload: payload,
            padding: [UInt8](repeating: 0, count: padding))
        #expect(message == expected.bytes())
    }

    @Test(
        "A signed message has the documented format", arguments: TestKeys.Device.allCases,
        TestKeys.Sender.allCases)
    func aSignedMessageIsAsTheTableSays(_ device: TestKeys.Device, _ sender: TestKeys.Sender) throws
    {
        let envelope = try seal(
            to: device, signer: sender, padding: 11, issuedAt: 1_767_225_600_000)
        #expect(Array(envelope[..<9]) == RawMessage.header(for: device))
        let message = message(envelope, device)
        let expected = RawMessage(
            authentication: 1, kind: 3, lifetime: 0x0102_0304, id: Array(message[16..<32]),
            issuedAt: 1_767_225_600_000, payload: payload,
            padding: [UInt8](repeating: 0, count: 11), signer: sender)
        #expect(message == expected.bytes(to: device))
    }

    @Test("A signature covers domain, header, recipient and message")
    func theSignatureCoversDomainHeaderRecipientAndMessage() throws {
        let message = message(try seal(signer: .acme))
        let signed =
            Array("pushcrypt/v1/signature\0".utf8) + RawMessage.header(for: .alice)
            + RawMessage.publicKey(of: .alice) + message.dropLast(64)
        let key = try TestKeys.sender().publicKey.rawRepresentation
        let signature = Array(message.suffix(64))
        #expect(RawSodium.verifies(signature, of: signed, with: key))
        #expect(!RawSodium.verifies(signature, of: Array(signed.dropFirst()), with: key))
        #expect(
            Array(message.dropLast(64).suffix(8)) == (try TestKeys.sender().publicKey.keyID.bytes))
    }

    @Test("Envelopes for one key begin with the same twelve characters")
    func theFirstTwelveCharactersAreTheSameForOneKey() throws {
        let texts = try (0..<5).map { _ in Base64URL.encode(try seal(signer: .acme)) }
        #expect(Set(texts.map { $0.prefix(12) }).count == 1)
        #expect(Set(texts.map { $0.prefix(20) }).count == 5)
        #expect(Base64URL.encode(try seal(to: .bob)).prefix(12) != texts[0].prefix(12))
    }

    @Test("Every sealed message has its own id") func everySealHasAnIDOfItsOwn() throws {
        let recipient = MessageRecipient(
            try TestKeys.device().publicKey, lifetime: 60, signer: Signer(try TestKeys.sender()))
        var message = try OutgoingMessage(
            .notification, payload: payload.span, paddedTo: 256, authentication: .ed25519)
        var ids: Set<[UInt8]> = []
        for _ in 0..<50 {
            var envelope = [UInt8](repeating: 0, count: 57 + 256)
            try message.seal(for: recipient, issuedAt: 5, into: &envelope, at: 0)
            let opened = try open(envelope, with: TestKeys.device())
            try opened.verify(with: TestKeys.sender().publicKey)
            #expect(ids.insert(opened.id.bytes).inserted)
        }
    }

    @Test("One message is sealed for several devices") func oneMessageIsSealedForSeveralDevices()
        throws
    {
        var message = try OutgoingMessage(
            .notification, payload: payload.span, paddedTo: 256, authentication: .ed25519)
        for device in [TestKeys.Device.alice, .bob, .alice] {
            var target = [UInt8](repeating: 7, count: 57 + 256 + 9)
            let recipient = MessageRecipient(
                try TestKeys.device(device).publicKey, lifetime: 60,
                signer: Signer(try TestKeys.sender()))
            try message.seal(for: recipient, issuedAt: 5, into: &target, at: 4)
            #expect(target[..<4].allSatisfy { $0 == 7 } && target.suffix(5).allSatisfy { $0 == 7 })
            let opened = try open(Array(target[4..<(4 + 57 + 256)]), with: TestKeys.device(device))
            try opened.verify(with: TestKeys.sender().publicKey)
            #expect(opened.payload == payload)
        }
    }

    @Test("A payload has at most 65,535 bytes", arguments: [0, 1, 65_534, 65_535, 65_536, 70_000])
    func takesAsMuchAsTwoBytesCanSay(_ count: Int) {
        let long = [UInt8](repeating: 0x20, count: count)
        let code = errorCode {
            try OutgoingMessage(
                .voip, payload: long.span, paddedTo: 32 + count, authentication: .anonymous)
        }
        #expect(code == (count > 65_535 ? .payloadTooLarge : nil))
    }

    @Test("A length that is too short is rejected") func refusesALengthThatIsTooShort() {
        for (authentication, least) in [
            (MessageFormat.Authentication.anonymous, 32 + payload.count),
            (.ed25519, 104 + payload.count),
        ] {
            for length in [least, least - 1, 32, 0, -1] {
                let code = errorCode {
                    try OutgoingMessage(
                        .voip, payload: payload.span, paddedTo: length,
                        authentication: authentication)
                }
                #expect(code == (length == least ? nil : .payloadTooLarge))
            }
        }
    }
}
