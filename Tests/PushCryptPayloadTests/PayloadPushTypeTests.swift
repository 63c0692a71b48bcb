import Foundation
import PushCryptCore
import PushCryptPayload
import Testing

/// Tests of the payloads of each push type.
@Suite struct PayloadPushTypeTests {
    private func json(_ payload: Payload) throws -> String {
        String(decoding: try payload.json(), as: UTF8.self)
    }

    @Test("An alert payload has the given texts and members")
    func alert() throws {
        #expect(
            try json(
                Payload(title: "Card payment", body: "12.50 €", custom: ["link": "app://card/1"]))
                == #"{"aps":{"alert":{"body":"12.50 €","title":"Card payment"}},"link":"app://card/1"}"#
        )
        let whole = Payload(
            title: "t", subtitle: "s", body: "b", badge: 0, sound: "chime.caf", category: "C",
            threadID: "T",
            interruptionLevel: .timeSensitive, custom: ["k": [1, 2.5, true, .null]])
        #expect(
            try json(whole)
                == #"{"aps":{"alert":{"body":"b","subtitle":"s","title":"t"},"badge":0,"category":"C","#
                + #""interruption-level":"time-sensitive","sound":"chime.caf","thread-id":"T"},"k":[1,2.5,true,null]}"#
        )
    }

    @Test("A sound is a name or a dictionary")
    func sound() throws {
        #expect(try json(Payload(title: "t", sound: .standard)).contains(#""sound":"default""#))
        #expect(
            try json(Payload(title: "t", sound: .critical("siren.caf", volume: 0.5)))
                .contains(#""sound":{"critical":1,"name":"siren.caf","volume":0.5}"#))
        #expect(
            try json(Payload(title: "t", sound: .critical()))
                .contains(#""sound":{"critical":1,"name":"default"}"#))
    }

    @Test("A payload can have any aps")
    func aps() throws {
        var aps = Payload.APS()
        aps.alert = "a"
        #expect(try json(Payload(aps: aps)) == #"{"aps":{"alert":"a"}}"#)
        aps.alert = .dictionary(Payload.AlertText(subtitle: "s"))
        #expect(try json(Payload(aps: aps)) == #"{"aps":{"alert":{"subtitle":"s"}}}"#)
        #expect(try json(Payload(aps: nil, custom: ["k": 1])) == #"{"k":1}"#)
    }

    @Test("A background payload has content-available and no alert")
    func background() throws {
        #expect(try json(.background()) == #"{"aps":{"content-available":1}}"#)
        #expect(
            try json(.background(custom: ["k": 1])) == #"{"aps":{"content-available":1},"k":1}"#)
    }

    @Test("A VoIP payload has an empty aps and its members")
    func voip() throws {
        #expect(try json(.voip(custom: ["caller": "Anna"])) == #"{"aps":{},"caller":"Anna"}"#)
    }

    @Test("A Live Activity payload has whole seconds and the given members")
    func liveActivity() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000.9)
        #expect(
            try json(.liveActivity(.update, at: date, contentState: ["driver": "Anne"]))
                == #"{"aps":{"content-state":{"driver":"Anne"},"event":"update","timestamp":1700000000}}"#
        )
        let start = Payload.liveActivity(
            .start, at: date, contentState: [:], attributesType: "Order", attributes: ["n": 1],
            alert: Payload.AlertText(title: "t"), staleDate: date, dismissalDate: date)
        #expect(
            try json(start)
                == #"{"aps":{"alert":{"title":"t"},"attributes":{"n":1},"attributes-type":"Order","content-state":{},"#
                + #""dismissal-date":1700000000,"event":"start","stale-date":1700000000,"timestamp":1700000000}}"#
        )
    }

    @Test("A new Live Activity gets a token or a channel")
    func liveActivityUpdates() throws {
        let date = Date(timeIntervalSince1970: 1)
        #expect(
            try json(.liveActivity(.start, at: date, inputPushToken: true))
                == #"{"aps":{"event":"start","input-push-token":1,"timestamp":1}}"#)
        #expect(
            try json(.liveActivity(.start, at: date, inputPushChannel: "dHN0"))
                == #"{"aps":{"event":"start","input-push-channel":"dHN0","timestamp":1}}"#)
    }

    @Test("An encodable value becomes a JSON value") func anEncodableValueBecomesAJsonValue() throws
    {
        struct Order: Encodable {
            var id = 42
            var items = ["a", "b"]
        }
        #expect(try JSONValue(encoding: Order()) == ["id": 42, "items": ["a", "b"]])
        #expect(try JSONValue(encoding: 1) == 1)
        for value in [
            JSONValue.number(JSONNumber(Double.nan)), .number(JSONNumber(Decimal.nan)),
            [.number(JSONNumber(-Double.infinity))],
        ] {
            #expect(throws: PushCryptError(.invalidPayload, "")) { try JSONValue(encoding: value) }
        }
    }
}
