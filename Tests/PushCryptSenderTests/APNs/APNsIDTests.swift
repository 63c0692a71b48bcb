import Foundation
import PushCryptLint
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptSender

/// The header `apns-id`, which comes from the ID of a message.
@Suite struct APNsIDTests {
    private let device: RecipientPublicKey
    private let sealer: Sealer
    private let opener: Opener

    init() throws {
        let (key, server) = try (TestKeys.device(), TestKeys.sender())
        device = key.publicKey
        sealer = Sealer(.signed(by: server))
        opener = Opener(keys: InMemoryKeyStore([key]), senderPolicy: .signed(by: server.publicKey))
    }

    /// Returns the `apns-id` of the message in a sealed value, by libsodium alone.
    private func id(of payload: some UTF8Text) throws -> String {
        RawMessage.apnsID(of: try opener.open(json: payload, as: MessageKind.all).messageID.bytes)
    }

    private func header(_ push: SealedPush) -> String? {
        push.headers.fields.first { $0.name == "apns-id" }?.value
    }

    /// Expects that each push has another ID, which is the one of its message.
    private func expectIDs(_ pushes: [SealedPush], count: Int) throws {
        #expect(pushes.count == count)
        for push in pushes { #expect(try header(push) == id(of: push.payload)) }
        #expect(Set(pushes.map(\.headers.id)).count == count)
    }

    // MARK: Derivation

    @Test("The shared vectors are reproduced", arguments: try APNsIDCorpus.load().vectors)
    func vectors(_ vector: APNsIDCorpus.Vector) throws {
        var ids = APNsIDDerivation()
        // The buffers of an earlier ID don't count.
        _ = try ids.id(of: .random())
        let message = try Base64URL.decode(Array(vector.messageID.utf8).span)
        #expect(try ids.id(of: MessageID(message)).uuidString.lowercased() == vector.apnsID)
    }

    @Test("It is libsodium's hash in a UUID of version 8") func libsodium() throws {
        var ids = APNsIDDerivation()
        for _ in 0..<100 {
            let message = try MessageID.random()
            #expect(
                try ids.id(of: message).uuidString.lowercased()
                    == RawMessage.apnsID(of: message.bytes))
        }
    }

    // MARK: Pushes

    @Test(
        "A push of each type has the ID of its message",
        arguments: [
            (.alert, #"{"aps":{"alert":"a"}}"#), (.alert, #"{"collapse-ids":["m-1"]}"#),
            (.background, #"{"aps":{"content-available":1}}"#), (.voip, #"{"caller":"Anna"}"#),
            (.location, #"{"query":1}"#), (.pushToTalk, #"{"speaker":"Anna"}"#),
        ] as [(PushType, String)])
    func types(type: PushType, json: String) throws {
        let push = try sealer.seal(json: json, for: device, headers: APNsHeaders(type))
        try expectIDs([push], count: 1)
    }

    @Test("A VoIP message in an alert push has the ID of its message") func call() throws {
        try expectIDs([sealer.seal(json: #"{"caller":"Anna"}"#, for: device, as: .voip)], count: 1)
    }

    @Test("Each way of sealing for many devices gives each push the ID of its message")
    func manyDevices() async throws {
        let prepared = try sealer.prepare(json: #"{"aps":{"alert":"a"}}"#)
        #expect(prepared.headers.id == nil)
        let devices = [RecipientPublicKey](repeating: device, count: 100)
        var pushes = try prepared.seal(for: devices) + [prepared.seal(for: device)]
        pushes += try prepared.sealOnAllCores(for: devices).map { try $0.get() }
        for try await chunk in prepared.chunks(for: devices, of: 7) {
            pushes += try chunk.map { try $0.result.get() }
        }
        try expectIDs(pushes, count: 301)
    }

    @Test(
        "A Live Activity has the ID of its state, also if its attributes are before it",
        arguments: [
            (#"{"aps":{"content-state":{"k":1},"event":"update"}}"#, 0),
            (#"{"aps":{"content-state":{"k":1},"event":"start","attributes":{"k":2}}}"#, 0),
            (#"{"aps":{"attributes":{"k":2},"event":"start","content-state":{"k":1}}}"#, 1),
        ])
    func liveActivities(json: String, index: Int) throws {
        var sealer = sealer
        sealer.ignoredRules = Set(Rule.all.map(\.id))
        let push = try sealer.seal(json: json, for: device, headers: APNsHeaders(.liveActivity))
        let values = try String(decoding: push.payload, as: UTF8.self)
            .matches(of: /\{"ENCRYPTED_DATA":"[^"]+"\}/).map { try id(of: String($0.output)) }
        try #require(values.indices.contains(index))
        #expect(header(push) == values[index])
    }

    @Test("An ID that the sender gives stays") func givenID() throws {
        let id = UUID()
        let prepared = try sealer.prepare(
            json: #"{"aps":{"alert":"a"}}"#, headers: APNsHeaders(id: id))
        #expect(try prepared.seal(for: [device, device]).map(\.headers.id) == [id, id])
        #expect(try prepared.sealOnAllCores(for: [device]).map { try $0.get().headers.id } == [id])
    }
}

/// `Tests/Vectors/apns-ids.json`.
struct APNsIDCorpus: Decodable {
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let messageID: String
        let apnsID: String

        private enum CodingKeys: String, CodingKey {
            case name
            case messageID = "message_id"
            case apnsID = "apns_id"
        }

        var testDescription: String { name }
    }

    let vectors: [Vector]

    static func load() throws -> APNsIDCorpus {
        try VectorFile.load("apns-ids.json", minimum: ["vectors": 16], as: APNsIDCorpus.self)
    }
}
