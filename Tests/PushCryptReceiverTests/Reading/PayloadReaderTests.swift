import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptPayload
@testable import PushCryptReceiver

/// The original of each dictionary that an app gets.
@Suite struct PayloadReaderTests {
    /// The situations in which an app gets a dictionary.
    enum Situation: CaseIterable {
        case foreground, tap, contentExtension, backgroundPush, voipPush

        var pushType: PushType {
            switch self {
            case .foreground, .tap, .contentExtension: .alert
            case .backgroundPush: .background
            case .voipPush: .voip
            }
        }

        /// The sealed payload.
        var original: String {
            let aps =
                switch self {
                case .foreground, .tap, .contentExtension:
                    #"{"alert":{"title":"t","body":"secret"}}"#
                case .backgroundPush: #"{"content-available":1}"#
                case .voipPush: "{}"
                }
            return
                #"{"aps":\#(aps),"order":{"id":42,"open":true,"note":null},"price":1.50,"link":"app:\/\/order"}"#
        }

        /// The situations in which the extension may have opened the push.
        static let notifications: [Situation] = [.foreground, .tap, .contentExtension]
    }

    private let device: RecipientPrivateKey
    private let server: SigningKey
    private let opener: Opener

    init() throws {
        device = try TestKeys.device()
        server = try TestKeys.sender()
        opener = Opener(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: [server.publicKey]))
    }

    /// Returns a sealed push.
    private func sealed(
        _ situation: Situation, by authentication: SenderAuthentication? = nil,
        for key: RecipientPublicKey? = nil
    ) throws -> [UInt8] {
        try Sealer(authentication ?? .signed(by: server)).seal(
            json: situation.original.utf8, for: key ?? device.publicKey,
            headers: APNsHeaders(situation.pushType)
        ).payload
    }

    /// Returns a notification's dictionary after the extension has handled it.
    private func handled(_ situation: Situation, keepsUserInfoSealed: Bool) throws -> [AnyHashable:
        Any]
    {
        let payload = try sealed(situation)
        var configuration = PushConfiguration(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: server.publicKey))
        configuration.keepsUserInfoSealed = keepsUserInfoSealed
        let shown = PushInbox(configuration).open(try DeliveredNotification(json: payload))
        guard let members = shown.content.originalPayload else {
            return try systemDictionary(payload)
        }
        return systemDictionary(members)
    }

    // MARK: Sealed

    @Test("A sealed push opens", arguments: Situation.allCases, [UnsealedPayloads.reject, .allow])
    func sealedPushOpens(situation: Situation, policy: UnsealedPayloads) throws {
        let reader = try PayloadReader(
            userInfo: systemDictionary(sealed(situation)), as: situation.pushType.acceptedKinds,
            opener: opener,
            unsealed: policy)
        #expect(reader.isOpened)
        #expect(String(decoding: reader.json, as: UTF8.self) == situation.original)
        #expect(try reader.custom("order", "id", as: Int.self) == 42)
        #expect(reader.push?.signer == server.publicKey.keyID)
    }

    @Test("A dictionary that the extension kept sealed opens", arguments: Situation.notifications)
    func dictionaryThatTheExtensionKeptSealedOpens(situation: Situation) throws {
        let userInfo = try handled(situation, keepsUserInfoSealed: true)
        let reader = try PayloadReader(userInfo: userInfo, opener: opener, unsealed: .reject)
        #expect(reader.isOpened)
        #expect(String(decoding: reader.json, as: UTF8.self) == situation.original)
    }

    // MARK: Opened by the extension

    @Test(
        "A dictionary that the extension opened is read if allowed",
        arguments: Situation.notifications)
    func dictionaryThatTheExtensionOpenedIsReadIfAllowed(situation: Situation) throws {
        let userInfo = try handled(situation, keepsUserInfoSealed: false)
        #expect(userInfo[Envelope.payloadKey] == nil)
        let reader = try PayloadReader(userInfo: userInfo, opener: opener, unsealed: .allow)
        #expect(!reader.isOpened)
        #expect(
            String(decoding: reader.json, as: UTF8.self)
                == #"{"aps":{"alert":{"body":"secret","title":"t"}},"link":"app://order","order":{"id":42,"open":true},"price":1.5}"#
        )
        #expect(try reader.custom("order", "open", as: Bool.self))
        #expect(try reader.payload().aps?.alert?.parts.body == "secret")
    }

    @Test("An unsealed push is rejected if requested", arguments: Situation.allCases)
    func unsealedPushIsRejectedIfRequested(situation: Situation) throws {
        let userInfo = try systemDictionary(Array(situation.original.utf8))
        let error = thrownError {
            try PayloadReader(userInfo: userInfo, opener: opener, unsealed: .reject)
        }
        #expect(error?.code == .notSealed)
        #expect(error?.reason.contains("secret") == false)
        #expect(
            thrownError { try PayloadReader(userInfo: [:], opener: opener, unsealed: .reject) }?
                .code == .notSealed)
        let json = Array(situation.original.utf8)
        #expect(
            thrownError { try PayloadReader(json: json, opener: opener, unsealed: .reject) }?.code
                == .notSealed)
    }

    @Test("An empty dictionary is a payload without members")
    func emptyDictionaryIsAPayloadWithoutMembers() throws {
        let reader = try PayloadReader(userInfo: [:], opener: opener, unsealed: .allow)
        #expect(reader.json == Array("{}".utf8))
        #expect(try reader.customIfPresent("k", as: String.self) == nil)
    }

    // MARK: Forgeries

    /// Returns pushes that must not be read with any policy.
    private func forgeries() throws -> [(payload: [UInt8], code: PushCryptError.Code)] {
        let genuine = String(decoding: try sealed(.tap), as: UTF8.self)
        func changed(_ old: String, _ new: String) -> [UInt8] {
            Array(genuine.replacingOccurrences(of: old, with: new).utf8)
        }
        return [
            (try sealed(.tap, by: .anonymous), .unsigned),
            (try sealed(.tap, by: .signed(by: TestKeys.sender(.mallory))), .unknownSigner),
            (try sealed(.tap, for: TestKeys.device(.bob).publicKey), .unknownKey),
            (torn(Array(genuine.utf8)), .decryptionFailed),
            (changed(#"DATA":""#, #"DATA":"="#), .malformedBase64),
            (changed(#"DATA":"A"#, #"DATA":"B"#), .unsupportedVersion),
            (Array(#"{"aps":{"alert":"evil"},"ENCRYPTED_DATA":""}"#.utf8), .malformedEnvelope),
            (Array(#"{"aps":{"alert":"evil"},"ENCRYPTED_DATA":"AAAA"}"#.utf8), .unsupportedVersion),
        ]
    }

    @Test("A forged push is never read", arguments: [UnsealedPayloads.reject, .allow])
    func forgedPushIsNeverRead(policy: UnsealedPayloads) throws {
        for (payload, code) in try forgeries() {
            let userInfo = try systemDictionary(payload)
            #expect(
                thrownError {
                    try PayloadReader(userInfo: userInfo, opener: opener, unsealed: policy)
                }?.code == code)
            #expect(
                thrownError { try PayloadReader(json: payload, opener: opener, unsealed: policy) }?
                    .code == code)
        }
    }

    @Test(
        "A sealed value that isn't a string is never read",
        arguments: [UnsealedPayloads.reject, .allow],
        ["1", "true", "[]", "{}", "1.5", #"["a"]"#])
    func sealedValueThatIsntAStringIsNeverRead(policy: UnsealedPayloads, value: String) throws {
        let json = Array(#"{"aps":{"alert":"evil"},"ENCRYPTED_DATA":\#(value)}"#.utf8)
        let userInfo = try systemDictionary(json)
        #expect(
            thrownError { try PayloadReader(userInfo: userInfo, opener: opener, unsealed: policy) }?
                .code
                == .malformedEnvelope)
        #expect(
            thrownError { try PayloadReader(json: json, opener: opener, unsealed: policy) }?.code
                == .malformedEnvelope)
    }

    @Test("A sealed value of another type never counts as unsealed")
    func sealedValueOfAnotherTypeNeverCountsAsUnsealed() throws {
        for value: Any in [Date(), Data(), Optional<String>.none as Any] {
            let userInfo: [AnyHashable: Any] = ["aps": ["alert": "evil"], "ENCRYPTED_DATA": value]
            #expect(
                thrownError {
                    try PayloadReader(userInfo: userInfo, opener: opener, unsealed: .allow)
                }?.code
                    == .malformedEnvelope)
        }
    }

    @Test("A name with escapes is the same name") func nameWithEscapesIsTheSameName() throws {
        let text = String(decoding: try sealed(.tap), as: UTF8.self)
        let escaped = text.replacingOccurrences(of: "ENCRYPTED_DATA", with: #"ENCRYPTED\u005fDATA"#)
        #expect(escaped != text)
        let reader = try PayloadReader(json: Array(escaped.utf8), opener: opener, unsealed: .allow)
        #expect(reader.isOpened)
        let evil = Array(#"{"aps":{"alert":"evil"},"\u0045NCRYPTED_DATA":"x"}"#.utf8)
        #expect(
            thrownError { try PayloadReader(json: evil, opener: opener, unsealed: .allow) } != nil)
    }

    @Test(
        "JSON that isn't strict is rejected",
        arguments: ["", "[]", #"{"aps":{},}"#, #"{"k":1,"k":2}"#, #"{"k":1} x"#, "\u{FEFF}{}"])
    func jsonThatIsntStrictIsRejected(json: String) {
        for policy in [UnsealedPayloads.reject, .allow] {
            #expect(
                thrownError {
                    try PayloadReader(json: Array(json.utf8), opener: opener, unsealed: policy)
                }?.code
                    == .malformedJSON)
        }
    }

    // MARK: The same push more than once

    @Test("The reader doesn't ask the replay guard") func readerDoesntAskTheReplayGuard() throws {
        var guarded = opener
        guarded.replayGuard = InMemoryReplayGuard()
        let payload = try sealed(.tap)
        let userInfo = try systemDictionary(payload)
        for _ in 0..<3 {
            #expect(
                try PayloadReader(userInfo: userInfo, opener: guarded, unsealed: .reject).isOpened)
            #expect(try PayloadReader(json: payload, opener: guarded, unsealed: .reject).isOpened)
        }
        // The guard hasn't recorded the message, so that the extension can still display it.
        #expect(try PayloadReader(guarded.open(userInfo: userInfo)).isOpened)
        #expect(
            thrownError { try PayloadReader(guarded.open(userInfo: userInfo)) }?.code == .replayed)
        #expect(try PayloadReader(userInfo: userInfo, opener: guarded, unsealed: .reject).isOpened)
        #expect(guarded.replayGuard != nil, "The caller's opener keeps its guard.")
    }

    // MARK: Results

    @Test("An opened message is read byte for byte") func openedMessageIsReadByteForByte() throws {
        let push = try opener.open(json: sealed(.voipPush), as: [.voip])
        let reader = PayloadReader(push)
        #expect(reader.isOpened)
        #expect(reader.json == push.payload)
        #expect(try reader.custom("price", as: Decimal.self) == Decimal(string: "1.5"))
    }

    @Test("The payload is typed") func payloadIsTyped() throws {
        let json = #"{"aps":{"alert":"a","badge":3,"interruption-level":"passive"},"k":1}"#
        let payload = try PayloadReader(json: Array(json.utf8), opener: opener, unsealed: .allow)
            .payload()
        #expect(payload.aps?.badge == 3)
        #expect(payload.aps?.interruptionLevel == .passive)
        #expect(payload.custom == ["k": 1])
        let wrong = try PayloadReader(
            json: Array(#"{"aps":{"badge":"x"}}"#.utf8), opener: opener, unsealed: .allow)
        let error = thrownError { try wrong.payload() }
        #expect(error?.code == .typeMismatch)
        #expect(error?.reason.contains("aps.badge") == true)
    }

    @Test("The content is the notification's") func contentIsTheNotifications() throws {
        let json = """
            {"aps":{"alert":{"title-loc-key":"T","title-loc-args":["Anna"],"body":"b"},"badge":0,"category":"c"},"k":1}
            """
        let strings = DictionaryStringTable(["T": "From %@"])
        let reader = try PayloadReader(json: Array(json.utf8), opener: opener, unsealed: .allow)
        let content = try reader.content(strings: strings)
        #expect([content.title, content.subtitle, content.body] == ["From Anna", "", "b"])
        #expect(content.badge == 0)
        #expect(content.categoryIdentifier == "c")
        #expect(try content.originalPayload == JSONValue(parsing: reader.json).objectValue)
        #expect(try reader.content().title == "T")
    }

    @Test("Descriptions don't contain content", arguments: [UnsealedPayloads.reject, .allow])
    func descriptionsDontContainContent(policy: UnsealedPayloads) throws {
        let userInfo = try handled(.tap, keepsUserInfoSealed: policy == .reject)
        let reader = try PayloadReader(userInfo: userInfo, opener: opener, unsealed: policy)
        var dumped = ""
        dump(reader, to: &dumped)
        for text in ["\(reader)", String(reflecting: reader), dumped] {
            #expect(!text.contains("secret"), "\(text)")
            #expect(!text.contains("order"), "\(text)")
        }
        #expect(
            "\(reader)"
                == "PayloadReader of \(reader.json.count) bytes, \(policy == .reject ? "opened" : "unsealed")"
        )
    }
}
