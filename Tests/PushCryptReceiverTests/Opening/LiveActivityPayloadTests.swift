import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The whole payload of a Live Activity push.
@Suite struct LiveActivityPayloadTests {
    private let device: RecipientPrivateKey
    private let server: SigningKey
    private let opener: Opener

    init() throws {
        device = try TestKeys.device()
        server = try TestKeys.sender()
        opener = Opener(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: [server.publicKey]))
    }

    private func sealed(_ json: String, by key: SigningKey? = nil) throws -> String {
        let push = try Sealer(.signed(by: key ?? server), exposedKeys: [.alert])
            .seal(json: json.utf8, for: device.publicKey, headers: APNsHeaders(.liveActivity))
        return String(decoding: push.payload, as: UTF8.self)
    }

    private func opened(_ json: String) throws -> String {
        String(decoding: try opener.open(liveActivity: Array(json.utf8)), as: UTF8.self)
    }

    private func code(_ json: String) -> PushCryptError.Code? {
        thrownError { try opened(json) }?.code
    }

    @Test("Each event survives a round trip byte for byte", arguments: LiveActivityEvent.allCases)
    func eachEventSurvivesARoundTripByteForByte(event: LiveActivityEvent) throws {
        let json = try #require(Order.payloads[event])
        let travelling = try sealed(json)
        #expect(!travelling.contains("secret"))
        #expect(travelling.contains(#""event":"\#(event.rawValue)""#), "The system reads this.")
        #expect(try opened(travelling) == json)
    }

    @Test(
        "Each form of a payload survives a round trip byte for byte",
        arguments: [
            // In another order, with other members before, between and after.
            #"{"aps":{"attributes":{"b":2},"attributes-type":"T","input-push-channel":"content-state","content-state":{"a":1},"event":"start","timestamp":1,"alert":"a"}}"#,
            #"{"aps":{"content-state":{},"event":"end","timestamp":1}}"#,
            #"{"aps":{"event":"end","timestamp":1.5,"content-state":{"n":1.10,"big":12345678901234567890,"s":"\u00e9\/","deep":{"content-state":{"attributes":[null,{}]}}}}}"#,
            #"{"aps":{"ev\u0065nt":"update","timestamp":1,"content\u002dstate":{"a":1}}}"#,
        ])
    func eachFormOfAPayloadSurvivesARoundTripByteForByte(json: String) throws {
        let travelling = try sealed(json)
        #expect(travelling != json)
        #expect(try opened(travelling) == json)
    }

    @Test("The largest possible state survives a round trip")
    func largestPossibleStateSurvivesARoundTrip() throws {
        var length = 2600
        while true {
            let text = String(repeating: "x", count: length)
            let json = #"{"aps":{"content-state":{"t":"\#(text)"},"event":"update","timestamp":1}}"#
            do {
                let travelling = try sealed(json)
                #expect(travelling.utf8.count <= 4096)
                #expect(try opened(travelling) == json)
            } catch let error as PushCryptError {
                #expect(error.code == .payloadTooLarge)
                break
            }
            length += 7
        }
        #expect(length > 2800)
    }

    @Test("An end without a state is sent unsealed") func endWithoutAStateIsSentUnsealed() throws {
        let json = #"{"aps":{"timestamp":1767225600,"event":"end","dismissal-date":1767229200}}"#
        #expect(throws: PushCryptError(.invalidPayload, "")) { try sealed(json) }
        #expect(code(json) == .notSealed)
        #expect(try Order.Push.decode(Array(json.utf8)).contentState == nil)
    }

    @Test(
        "A sealed payload always opens",
        arguments: [
            #"{"aps":{"timestamp":1,"event":"end","content-state":{},"attributes":null}}"#,
            #"{"aps":{"timestamp":1,"event":"update","content-state":{"a":1},"attributes":null}}"#,
        ])
    func sealedPayloadAlwaysOpens(json: String) throws {
        let travelling = try sealed(json)
        #expect(throws: Never.self) { try opened(travelling) }
    }

    @Test("A value in another location isn't sealed") func valueInAnotherLocationIsntSealed() throws
    {
        for json in [
            "{}", #"{"aps":{}}"#, #"{"aps":1}"#, #"{"aps":null}"#, #"{"aps":[]}"#,
            try #require(Order.payloads[.start]),
            #"{"aps":{"content-state":"ENCRYPTED_DATA"}}"#,
            #"{"aps":{"content-state":[{"ENCRYPTED_DATA":"A"}]}}"#,
            #"{"aps":{"ENCRYPTED_DATA":"A"}}"#, #"{"ENCRYPTED_DATA":"A"}"#,
            #"{"content-state":{"ENCRYPTED_DATA":"A"}}"#,
            #"{"aps":{"content-state":{"x":{"ENCRYPTED_DATA":"A"}}}}"#,
        ] {
            #expect(code(json) == .notSealed, "\(json)")
        }
    }

    @Test("An invalid envelope is an error") func invalidEnvelopeIsAnError() throws {
        for value in ["1", "null", "{}", "[]"] {
            #expect(
                code(#"{"aps":{"content-state":{"ENCRYPTED_DATA":\#(value)}}}"#)
                    == .malformedEnvelope)
        }
        #expect(code(#"{"aps":{"attributes":{"ENCRYPTED_DATA":"="}}}"#) == .malformedBase64)
        #expect(code(#"{"aps":{"attributes":{"ENCRYPTED_DATA":""}}}"#) == .malformedEnvelope)
        for json in ["", "[]", #"{"aps":{}"#, #"{"aps":{},"aps":{}}"#] {
            #expect(code(json) == .malformedJSON)
        }
    }

    @Test("Both sealed values must open") func bothSealedValuesMustOpen() throws {
        let json = try #require(Order.payloads[.start])
        let (ours, theirs) = (try sealed(json), try sealed(json, by: TestKeys.sender(.mallory)))
        #expect(code(theirs) == .unknownSigner)
        // In this payload the attributes follow the state.
        let (oursAt, theirsAt) = (
            try #require(ours.range(of: #""attributes-type""#)),
            try #require(theirs.range(of: #""attributes-type""#))
        )
        #expect(
            code(String(ours[..<oursAt.lowerBound] + theirs[theirsAt.lowerBound...]))
                == .unknownSigner)
        #expect(
            code(String(theirs[..<theirsAt.lowerBound] + ours[oursAt.lowerBound...]))
                == .unknownSigner)
        // Values of two pushes of the same server can be combined, so the rest isn't authentic.
        let other = try sealed(json)
        let otherAt = try #require(other.range(of: #""attributes-type""#))
        #expect(
            try opened(String(ours[..<oursAt.lowerBound] + other[otherAt.lowerBound...])) == json)
    }

    @Test("A sealed text with escapes opens") func sealedTextWithEscapesOpens() throws {
        let json = try #require(Order.payloads[.update])
        let escaped = try sealed(json).replacingOccurrences(
            of: #""ENCRYPTED_DATA":"A"#, with: #""ENCRYPTED\u005fDATA":"\u0041"#)
        #expect(escaped.contains(#"\u0041"#))
        #expect(try opened(escaped) == json)
    }

    @Test("Members beside a sealed value are dropped") func membersBesideASealedValueAreDropped()
        throws
    {
        let json = try #require(Order.payloads[.update])
        let added = try sealed(json).replacingOccurrences(
            of: #"{"ENCRYPTED_DATA""#, with: #"{"phase":"evil","ENCRYPTED_DATA""#)
        #expect(added.contains("evil"))
        #expect(try opened(added) == json)
    }

    @Test("The replay guard is asked") func replayGuardIsAsked() throws {
        var guarded = opener
        guarded.replayGuard = InMemoryReplayGuard()
        let travelling = Array(try sealed(try #require(Order.payloads[.start])).utf8)
        #expect(throws: Never.self) { try guarded.open(liveActivity: travelling) }
        #expect(thrownError { try guarded.open(liveActivity: travelling) }?.code == .replayed)
    }
}
