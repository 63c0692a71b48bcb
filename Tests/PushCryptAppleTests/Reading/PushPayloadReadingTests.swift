// A test can only create stand-ins. The system creates the real objects.
#if !canImport(Darwin)
import PushCryptApple
import PushCryptTesting
import PushKit
import Testing

/// Readers of a VoIP push.
@Suite struct PushPayloadReadingTests {
    private let push: DeliveredPush

    init() throws {
        push = try DeliveredPush(.voip)
    }

    private func payload(_ dictionary: [AnyHashable: Any]) -> PKPushPayload {
        PKPushPayload(type: .voIP, dictionaryPayload: dictionary)
    }

    @Test("A sealed VoIP push opens") func sealedVoIPPushOpens() throws {
        let reader = try PayloadReader(payload(push.sealed), opener: push.opener, unsealed: .reject)
        #expect(reader.isOpened)
        #expect(String(decoding: reader.json, as: UTF8.self) == DeliveredPush.json)
    }

    @Test("An unsealed VoIP push is treated by the caller's policy") func unsealedVoIPPushIsTreatedByTheCallersPolicy()
        throws
    {
        #expect(throws: PushCryptError(.notSealed, "")) {
            try PayloadReader(payload(push.clear), opener: push.opener, unsealed: .reject)
        }
        let reader = try PayloadReader(payload(push.clear), opener: push.opener, unsealed: .allow)
        #expect(!reader.isOpened)
        #expect(try reader.custom("order", as: Int.self) == 7)
    }
}
#endif
