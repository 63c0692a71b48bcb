// Only stand-ins can be made by a test: the real objects come from the system.
#if !canImport(Darwin)
import PushCryptApple
import PushCryptTesting
import PushKit
import Testing

/// A VoIP push is read as its dictionary is.
@Suite struct PushPayloadReadingTests {
    private let push: DeliveredPush

    init() throws {
        push = try DeliveredPush(.voip)
    }

    private func payload(_ dictionary: [AnyHashable: Any]) -> PKPushPayload {
        PKPushPayload(type: .voIP, dictionaryPayload: dictionary)
    }

    @Test func whatIsSealedIsOpened() throws {
        let reader = try PayloadReader(payload(push.sealed), opener: push.opener, unsealed: .reject)
        #expect(reader.isOpened)
        #expect(String(decoding: reader.json, as: UTF8.self) == DeliveredPush.json)
    }

    @Test func whatIsNotSealedIsTakenAsTheCallerSays() throws {
        #expect(throws: PushCryptError(.notSealed, "")) {
            try PayloadReader(payload(push.clear), opener: push.opener, unsealed: .reject)
        }
        let reader = try PayloadReader(payload(push.clear), opener: push.opener, unsealed: .allow)
        #expect(!reader.isOpened)
        #expect(try reader.custom("order", as: Int.self) == 7)
    }
}
#endif
