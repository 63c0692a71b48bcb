import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// A push of each type, opened as each type.
@Suite struct PushTypeTests {
    private let opener: Opener
    private let inbox: PushInbox
    private let sealer: Sealer
    private let device: RecipientPublicKey
    private static let json = #"{"aps":{"alert":"a","content-available":1},"k":"v"}"#

    init() throws {
        device = try TestKeys.device().publicKey
        sealer = Sealer(.signed(by: try TestKeys.sender()))
        let configuration = PushConfiguration(
            keys: InMemoryKeyStore([try TestKeys.device()]),
            senderPolicy: .signed(by: [try TestKeys.sender().publicKey]))
        opener = configuration.opener
        inbox = PushInbox(configuration)
    }

    private func json(_ type: PushType) -> String {
        type == .background ? #"{"aps":{"content-available":1},"k":"v"}"# : Self.json
    }

    @Test(
        "A push opens as its own type only",
        arguments: PushType.sealable.filter { $0 != .liveActivity })
    func pushOpensAsItsOwnTypeOnly(type: PushType) throws {
        let push = try sealer.seal(json: json(type).utf8, for: device, headers: APNsHeaders(type))
        #expect(push.payload.count <= type.maximumPayloadLength)
        for other in PushType.allCases {
            let code = errorCode { try opener.open(json: push.payload, as: other.acceptedKinds) }
            #expect(code == (type == other ? nil : .wrongKind), "\(other)")
        }
        let opened = try opener.open(json: push.payload, as: type.acceptedKinds)
        #expect(
            opened.kind == type.messageKind
                && String(decoding: opened.payload, as: UTF8.self) == json(type))
    }

    @Test(
        "The dictionary of the system's location and push-to-talk callbacks opens",
        arguments: [(PushType.location, MessageKind.location), (.pushToTalk, .pushToTalk)])
    func dictionaryOfTheCallbackOpens(type: PushType, kind: MessageKind) throws {
        let push = try sealer.seal(json: json(type).utf8, for: device, headers: APNsHeaders(type))
        // CLLocationPushServiceExtension and PTChannelManagerDelegate pass dictionaries with
        // strings as keys.
        let dictionary = try #require(
            try JSONSerialization.jsonObject(with: push.data) as? [String: Any])
        #expect(
            String(
                decoding: try opener.open(userInfo: dictionary, as: [kind]).payload, as: UTF8.self)
                == json(type))
        let reader = try PayloadReader(
            userInfo: dictionary, as: [kind], opener: opener, unsealed: .reject)
        #expect(try reader.isOpened && reader.custom("k", as: String.self) == "v")
        #expect(
            errorCode { try PayloadReader(userInfo: dictionary, opener: opener, unsealed: .allow) }
                == .wrongKind)
    }

    @Test("An alert push can have a call for its extension")
    func alertPushCanHaveCallForItsExtension() throws {
        let push = try sealer.seal(
            json: #"{"caller":"Anna"}"#.utf8, for: device, headers: APNsHeaders(), as: .voip)
        let members = try JSONValue(parsing: push.payload)
        #expect(members["aps"] == ["alert": ["body": "(Encrypted)"], "mutable-content": 1])
        #expect(push.headers.pushType == .alert)
        #expect(
            try opener.open(json: push.payload, as: [.voip]).payload
                == Array(#"{"caller":"Anna"}"#.utf8))
        #expect(errorCode { try opener.open(json: push.payload) } == .wrongKind)
        let encoded = try sealer.seal(Payload.voip(custom: [:]), for: device, as: .voip)
        #expect(try opener.open(json: encoded.payload, as: [.voip]).kind == .voip)
        let delivered = DeliveredNotification(
            content: .init(body: "visible"),
            userInfo: ["ENCRYPTED_DATA": members["ENCRYPTED_DATA"]?.stringValue as Any]
        )
        #expect(inbox.open(delivered).content.body == "(Encrypted)")
    }

    @Test("No other kind than the push type's own can be given", arguments: PushType.sealable)
    func noOtherKindCanBeGiven(type: PushType) throws {
        for kind in MessageKind.all {
            let isAllowed = kind == type.messageKind || type == .alert && kind == .voip
            let code = errorCode {
                try sealer.prepare(json: json(type).utf8, headers: APNsHeaders(type), as: kind)
            }
            // The payload isn't a challenge.
            let other: PushCryptError.Code = kind == .challenge ? .invalidPayload : .wrongKind
            #expect(code == (isAllowed ? nil : other), "\(kind)")
        }
    }
}
