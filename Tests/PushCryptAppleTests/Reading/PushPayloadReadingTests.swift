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
        let reader = try push.inbox(.reject).read(payload(push.sealed))
        #expect(reader.isOpened)
        #expect(String(decoding: reader.json, as: UTF8.self) == DeliveredPush.json)
    }

    @Test("An inbox rejects an unsealed VoIP push, and a reader treats it by the caller's policy")
    func unsealedVoIPPush() throws {
        for policy in [UnsealedPayloads.reject, .allow] {
            #expect(throws: PushCryptError(.notSealed, "")) {
                try push.inbox(policy).read(payload(push.clear))
            }
        }
        let reader = try PayloadReader(
            userInfo: payload(push.clear).dictionaryPayload, as: [.voip],
            opener: push.configuration.opener,
            unsealed: .allow)
        #expect(!reader.isOpened)
        #expect(try reader.custom("order", as: Int.self) == 7)
    }
}
#endif
