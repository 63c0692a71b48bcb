import Foundation
import PushCryptTesting
import Testing

/// Tests of encodable payloads and of the encodable push.
@Suite struct SealedPushTests {
    /// A message like those of APNs clients.
    private func send<Message: Encodable & Sendable>(_ message: Message) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return try encoder.encode(message)
    }

    @Test("The encoded push has the members of the payload")
    func theEncodedPushHasTheMembersOfThePayload() throws {
        let json = """
            {"aps":{"alert":{"title":"t"},"badge":3,"sound":{"critical":1,"name":"a/b","volume":0.5},\
            "relevance-score":0.25,"category":"ü"}}
            """
        let push = try Sealer(.anonymous, exposedKeys: Set(ExposedKey.allCases))
            .seal(json: json.utf8, for: TestKeys.device().publicKey)
        let encoded = try JSONDecoder().decode(JSONValue.self, from: send(push))
        #expect(encoded == (try JSONValue(parsing: push.payload)))
        #expect(encoded["aps"]?["badge"] == 3)
        #expect(encoded["aps"]?["sound"]?["volume"] == 0.5)
    }

    @Test("The encoded push opens") func theEncodedPushOpens() throws {
        let push = try Sealer(.anonymous).seal(
            json: #"{"aps":{"alert":"a"}}"#.utf8, for: TestKeys.device().publicKey)
        let encoded = try send(push)
        #expect(encoded.count == push.payload.count)
        let opener = Opener(keys: InMemoryKeyStore([try TestKeys.device()]), senderPolicy: .anyone)
        #expect(try opener.open(json: encoded).payload == Array(#"{"aps":{"alert":"a"}}"#.utf8))
    }

    @Test("A payload can be an encodable value") func aPayloadCanBeAnEncodableValue() throws {
        struct Message: Encodable {
            struct Aps: Encodable { var alert: [String: String] }
            var aps: Aps
            var link: String
        }
        let message = Message(aps: .init(alert: ["title": "t"]), link: "https://example.com/a")
        let device = try TestKeys.device()
        let push = try Sealer(.anonymous).seal(message, for: device.publicKey)
        let opened = try Opener(keys: InMemoryKeyStore([device]), senderPolicy: .anyone).open(
            json: push.payload)
        #expect(String(decoding: opened.payload, as: UTF8.self).contains("https://example.com/a"))
    }

    @Test("JSON text without its label is rejected") func jsonTextWithoutItsLabelIsRejected() throws
    {
        let text = #"{"aps":{"alert":"a"}}"#
        let device = try TestKeys.device().publicKey
        for seal in [
            { try Sealer(.anonymous).seal(text, for: device) },
            { try Sealer(.anonymous).seal(Data(text.utf8), for: device) },
            { try Sealer(.anonymous).seal(Array(text.utf8), for: device) },
        ] {
            let error = #expect(throws: PushCryptError.self) { try seal() }
            #expect(error?.reason.contains("json:") == true)
        }
    }

    @Test("An encodable value can be sealed for many devices")
    func anEncodableValueCanBeSealedForManyDevices() throws {
        let device = try TestKeys.device().publicKey
        #expect(
            try Sealer(.anonymous).prepare(["aps": ["alert": "a"]]).seal(for: [device, device])
                .count == 2)
    }

    @Test("A value that cannot be encoded is rejected without its content")
    func aValueThatCannotBeEncodedIsRejectedWithoutItsContent() throws {
        struct Broken: Encodable { var secret = Double.nan }
        let error = #expect(throws: PushCryptError.self) {
            try Sealer(.anonymous).seal(Broken(), for: TestKeys.device().publicKey)
        }
        #expect(error?.code == .invalidPayload)
    }
}
