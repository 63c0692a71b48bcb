import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The values that ActivityKit decodes and a widget opens.
@Suite struct SealedActivityTests {
    private typealias Value = SealedActivityState<Order.State>

    private let device: RecipientPrivateKey
    private let server: SigningKey
    private let opener: Opener

    init() throws {
        device = try TestKeys.device()
        server = try TestKeys.sender()
        opener = Opener(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: [server.publicKey]))
    }

    private func sealed(
        _ event: LiveActivityEvent, by authentication: SenderAuthentication? = nil,
        for key: RecipientPublicKey? = nil
    ) throws -> [UInt8] {
        let json = try #require(Order.payloads[event])
        return try Sealer(authentication ?? .signed(by: server)).seal(
            json: json.utf8, for: key ?? device.publicKey,
            headers: APNsHeaders(.liveActivity, topic: "com.example.app.push-type.liveactivity")
        ).payload
    }

    private func value(_ payload: [UInt8]) throws -> Value {
        try #require(try Order.Push.decode(payload).contentState)
    }

    private func value(_ json: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(json.utf8))
    }

    // MARK: Pushes

    @Test(
        "The state of each event opens", arguments: LiveActivityEvent.allCases,
        [UnsealedPayloads.reject, .allow])
    func stateOfEachEventOpens(event: LiveActivityEvent, policy: UnsealedPayloads) throws {
        let payload = try sealed(event)
        #expect(!String(decoding: payload, as: UTF8.self).contains("secret"))
        let aps = try Order.Push.decode(payload)
        let value = try #require(aps.contentState)
        #expect(value.isSealed)
        #expect(try value.value(opener: opener, unsealed: policy) == Order.state)
        #expect((aps.attributes != nil) == (event == .start))
    }

    @Test("The attributes of a start open") func attributesOfAStartOpen() throws {
        let attributes = try #require(try Order.Push.decode(sealed(.start)).attributes)
        #expect(try attributes.details.value(opener: opener, unsealed: .reject) == Order.details)
        // ActivityKit stores attributes between two starts of the app.
        let kept = try JSONDecoder().decode(
            Order.Attributes.self, from: JSONEncoder().encode(attributes))
        #expect(kept == attributes)
        #expect(try kept.details.value(opener: opener, unsealed: .reject) == Order.details)
    }

    @Test("A widget can open its state many times") func widgetCanOpenItsStateManyTimes() throws {
        var guarded = opener
        guarded.replayGuard = InMemoryReplayGuard()
        let value = try value(sealed(.update))
        for _ in 0..<3 {
            #expect(try value.value(opener: guarded, unsealed: .reject) == Order.state)
        }
    }

    @Test("A state opens until its key is destroyed") func stateOpensUntilItsKeyIsDestroyed() throws
    {
        let value = try value(sealed(.update))
        let time = TestClock(Date())
        time.advance(by: 400 * 86400)
        let late = Opener(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: [server.publicKey]),
            time: time)
        #expect(try value.value(opener: late, unsealed: .reject) == Order.state)
        time.advance(by: -403 * 86400)
        #expect(
            thrownError { try value.value(opener: late, unsealed: .allow) }?.code == .issuedInFuture
        )
    }

    // MARK: Unsealed values

    @Test("The app's own state is accepted if unsealed values are allowed")
    func appsOwnStateIsAcceptedIfUnsealedValuesAreAllowed() throws {
        for value in [Value.open(Order.state), try value(Order.stateJSON)] {
            #expect(try value.value(opener: opener, unsealed: .allow) == Order.state)
            let error = thrownError { try value.value(opener: opener, unsealed: .reject) }
            #expect(error?.code == .notSealed)
            #expect(error?.reason.contains("secret") == false)
        }
        let attributes = Order.Attributes(Order.details)
        #expect(try attributes.details.value(opener: opener, unsealed: .allow) == Order.details)
        #expect(
            thrownError { try attributes.details.value(opener: opener, unsealed: .reject) }?.code
                == .notSealed)
    }

    // MARK: Forgeries

    @Test("A forged state doesn't open", arguments: [UnsealedPayloads.reject, .allow])
    func forgedStateDoesntOpen(policy: UnsealedPayloads) throws {
        let genuine = String(decoding: try sealed(.update), as: UTF8.self)
        func changed(_ old: String, _ new: String) -> [UInt8] {
            Array(genuine.replacingOccurrences(of: old, with: new).utf8)
        }
        for (payload, code) in [
            (try sealed(.update, by: .anonymous), PushCryptError.Code.unsigned),
            (try sealed(.update, by: .signed(by: TestKeys.sender(.mallory))), .unknownSigner),
            (try sealed(.update, for: TestKeys.device(.bob).publicKey), .unknownKey),
            (torn(try sealed(.end)), .decryptionFailed),
            (changed(#"DATA":""#, #"DATA":"="#), .malformedBase64),
            (changed(#"DATA":"A"#, #"DATA":"B"#), .unsupportedVersion),
        ] {
            let value = try value(payload)
            #expect(thrownError { try value.value(opener: opener, unsealed: policy) }?.code == code)
        }
        #expect(
            thrownError {
                try value(#"{"ENCRYPTED_DATA":""}"#).value(opener: opener, unsealed: policy)
            }?.code
                == .malformedEnvelope)
    }

    @Test(
        "A member ENCRYPTED_DATA never decodes as an open value",
        arguments: ["1", "null", "true", "{}", "[]", #"["a"]"#, #"{"ENCRYPTED_DATA":"a"}"#])
    func memberENCRYPTEDDATANeverDecodesAsAnOpenValue(data: String) {
        // The state's own members are beside it.
        let json = #"{"ENCRYPTED_DATA":\#(data),"phase":{"cooking":{}},"arrival":0}"#
        #expect(throws: DecodingError.self) { try value(json) }
    }

    @Test("Members beside a sealed value aren't read") func membersBesideASealedValueArentRead()
        throws
    {
        let text = String(decoding: try sealed(.update), as: UTF8.self)
        let added = text.replacingOccurrences(
            of: #"{"ENCRYPTED_DATA""#,
            with: #"{"phase":{"cooking":{}},"arrival":0,"ENCRYPTED_DATA""#)
        #expect(added != text)
        #expect(try value(Array(added.utf8)).value(opener: opener, unsealed: .allow) == Order.state)
    }

    @Test("A sealed value of another type is an error with the member's name")
    func sealedValueOfAnotherTypeIsAnErrorWithTheMembersName() throws {
        func error(_ state: String) throws -> PushCryptError? {
            let json = #"{"aps":{"timestamp":1,"event":"update","content-state":\#(state)}}"#
            let push = try Sealer(.signed(by: server))
                .seal(json: json.utf8, for: device.publicKey, headers: APNsHeaders(.liveActivity))
            let value = try value(push.payload)
            return thrownError { try value.value(opener: opener, unsealed: .reject) }
        }
        let missing = try error(#"{"phase":{"cooking":{}},"secret":"secret"}"#)
        #expect(missing?.code == .missingValue)
        #expect(missing?.reason == #""arrival" is missing. Make it optional."#)
        let mistyped = try error(#"{"phase":{"cooking":{}},"arrival":"secret"}"#)
        #expect(mistyped?.code == .typeMismatch)
        #expect(mistyped?.reason == #""arrival" isn't of the type Double. Check the type."#)
        let inner = try error(#"{"phase":{"onTheWay":{"courier":["secret"]}},"arrival":0}"#)
        #expect(
            inner?.reason == #""phase.onTheWay.courier" isn't of the type String. Check the type."#)
    }

    @Test("A sealed alert isn't a state") func sealedAlertIsntAState() throws {
        let alert = try Sealer(.signed(by: server))
            .seal(json: #"{"aps":{"alert":"secret"}}"#.utf8, for: device.publicKey)
        let text = String(
            decoding: try #require(
                Array(alert.payload).split(separator: UInt8(ascii: "\"")).last { $0.count > 100 }),
            as: UTF8.self)
        let value = try value(#"{"ENCRYPTED_DATA":"\#(text)"}"#)
        #expect(
            thrownError { try value.value(opener: opener, unsealed: .allow) }?.code == .wrongKind)
    }

    // MARK: Encoding and equality

    @Test("The value encodes as it was sent") func valueEncodesAsItWasSent() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let payload = String(decoding: try sealed(.update), as: UTF8.self)
        let value = try value(Array(payload.utf8))
        let encoded = String(decoding: try encoder.encode(value), as: UTF8.self)
        #expect(encoded.hasPrefix(#"{"ENCRYPTED_DATA":"A"#))
        #expect(payload.contains(#""content-state":\#(encoded)"#), "byte for byte")
        #expect(try encoder.encode(Value.open(Order.state)) == encoder.encode(Order.state))
    }

    @Test("The value is as small as its text") func valueIsAsSmallAsItsText() throws {
        let value = try value(sealed(.update))
        let length = try JSONEncoder().encode(value).count
        // 256 bytes of padded message and 57 bytes of the envelope, in base64url, in an object.
        #expect(length == (313 * 4 + 2) / 3 + #"{"ENCRYPTED_DATA":""}"#.utf8.count)
        // ActivityKit accepts 4 KB of state and attributes together.
        let attributes = try #require(try Order.Push.decode(sealed(.start)).attributes)
        #expect(try length + JSONEncoder().encode(attributes).count < 1024)
    }

    @Test("The value survives its own encoding") func valueSurvivesItsOwnEncoding() throws {
        for value in [Value.open(Order.state), try value(sealed(.start))] {
            let again = try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
            #expect(again == value)
            #expect(again.hashValue == value.hashValue)
            #expect(try again.value(opener: opener, unsealed: .allow) == Order.state)
            let list = try PropertyListDecoder().decode(
                Value.self, from: PropertyListEncoder().encode(value))
            #expect(list == value)
        }
    }

    @Test("Values are equal if they have equal contents")
    func valuesAreEqualIfTheyHaveEqualContents() throws {
        let one = try value(sealed(.update))
        let other = try value(sealed(.update))
        #expect(one != other, "Each push is a new message.")
        #expect(one != Value.open(Order.state))
        #expect(Value.open(Order.state) == Value.open(Order.state))
        #expect(Set([one, other, one, .open(Order.state), .open(Order.state)]).count == 3)
    }

    @Test("States that aren't dictionaries are accepted")
    func statesThatArentDictionariesAreAccepted() throws {
        func check<State: Codable & Hashable & Sendable>(_ state: State, _ json: String) throws {
            // In an array, because not every release of Foundation encodes a bare scalar.
            let data = try JSONEncoder().encode([SealedActivityState.open(state)])
            #expect(String(decoding: data, as: UTF8.self) == "[\(json)]")
            let again = try JSONDecoder().decode([SealedActivityState<State>].self, from: data)
            #expect(try again.map { try $0.value(opener: opener, unsealed: .allow) } == [state])
        }
        try check("text", #""text""#)
        try check(42, "42")
        try check([1, 2], "[1,2]")
        try check(["a": 1], #"{"a":1}"#)
    }

    @Test("Descriptions don't contain content") func descriptionsDontContainContent() throws {
        for value in [Value.open(Order.state), try value(sealed(.update))] {
            var dumped = ""
            dump(value, to: &dumped)
            dump([value], to: &dumped)
            for text in ["\(value)", String(reflecting: value), "\([value])", dumped] {
                #expect(!text.contains("secret"), "\(text)")
                #expect(!text.contains("onTheWay"), "\(text)")
                #expect(text.contains("value of a Live Activity"), "\(text)")
            }
        }
    }
}
