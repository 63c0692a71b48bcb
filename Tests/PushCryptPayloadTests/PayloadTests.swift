import Foundation
import PushCryptCore
import TestSupport
import Testing

@testable import PushCryptPayload

/// Tests of decoding and encoding.
@Suite struct PayloadTests {
    @Test(
        "A documented payload is decoded and encoded without loss",
        arguments: try PayloadVector.load())
    func aDocumentedPayloadIsDecodedAndEncodedWithoutLoss(vector: PayloadVector) throws {
        let json = try vector.json
        let value = try JSONValue(parsing: json)
        let payload = try Payload(parsing: json)
        #expect(payload.members == value.objectValue)
        #expect(try JSONValue(parsing: payload.json()) == value)
        // Foundation alone reads the same members.
        let before = try JSONSerialization.jsonObject(with: Data(json))
        let after = try JSONSerialization.jsonObject(with: Data(payload.json()))
        #expect(try #require(before as? NSDictionary) == #require(after as? NSDictionary))
        // Foundation's coders keep it, also as a part of another value.
        #expect(try JSONDecoder().decode(Payload.self, from: Data(json)) == payload)
        let encoded = try JSONEncoder().encode(["p": payload])
        #expect(try JSONDecoder().decode([String: Payload].self, from: encoded) == ["p": payload])
        #expect(try JSONDecoder().decode([String: JSONValue].self, from: encoded) == ["p": value])
    }

    @Test(
        "Members without a property are kept",
        arguments: [
            "{}", #"{"aps":{}}"#, #"{"aps":null}"#,
            #"{"aps":{"alert":null,"badge":null,"sound":null}}"#,
            #"{"aps":{"alert":{}}}"#, #"{"aps":{"sound":{}}}"#, #"{"aps":{"alert":""}}"#,
            #"{"k":null,"":{"":[]}}"#,
            #"{"aps":{"alert":{"loc-args":[],"title-loc-args":[""]},"content-state":{},"attributes":{}}}"#,
            // Unknown keys, and Apple's keys in other dictionaries.
            #"{"aps":{"future-key":{"a":[1]},"title":"t","critical":1,"alert":{"badge":"x","name":2},"sound":{"alert":3}}}"#,
            #"{"alert":"a","badge":"x","content-state":7}"#,
            // Flags that are Booleans.
            #"{"aps":{"content-available":true,"mutable-content":false,"sound":{"critical":true}}}"#,
            // Names that Apple may add.
            #"{"aps":{"interruption-level":"loud","event":"pause"}}"#,
            // The alert of a Live Activity.
            #"{"aps":{"alert":{"title":{"loc-key":"K","loc-args":["a"]},"subtitle":{},"body":{"x":null},"sound":"s"}}}"#,
        ])
    func membersWithoutAPropertyAreKept(text: String) throws {
        let json = Array(text.utf8)
        let payload = try Payload(parsing: json)
        #expect(try JSONValue(parsing: payload.json()) == JSONValue(parsing: json))
        #expect(try Payload(parsing: payload.json()) == payload)
        #expect(try JSONDecoder().decode(Payload.self, from: Data(json)) == payload)
    }

    @Test("A kept value is in no property") func aKeptValueIsInNoProperty() throws {
        let text = """
            {"aps":{"mutable-content":true,"event":"pause","badge":null,"new":1,"alert":{"title":{"loc-key":"K"},"n":2},\
            "sound":{"critical":true,"volume":null,"m":3}}}
            """
        let aps = try #require(Payload(parsing: text.utf8).aps)
        #expect(aps.mutableContent == nil && aps.event == nil && aps.badge == nil)
        #expect(aps.other == ["mutable-content": true, "event": "pause", "badge": .null, "new": 1])
        #expect(aps.alert?.parts.title == nil)
        #expect(aps.alert?.parts.other == ["title": ["loc-key": "K"], "n": 2])
        guard case .dictionary(let sound) = aps.sound else {
            Issue.record("The sound is a dictionary.")
            return
        }
        #expect(
            sound.critical == nil && sound.other == ["critical": true, "volume": .null, "m": 3])
    }

    @Test("A property replaces a kept value") func aPropertyReplacesAKeptValue() throws {
        let text = """
            {"aps":{"mutable-content":true,"event":"pause","badge":null,"alert":{"title":{"loc-key":"K"}},\
            "sound":{"critical":true}}}
            """
        var payload = try Payload(parsing: text.utf8)
        payload.aps?.mutableContent = 1
        payload.aps?.event = .end
        payload.aps?.badge = 3
        payload.aps?.sound = .critical(volume: 0.5)
        payload.aps?.alert = .dictionary(Payload.AlertText(title: "t"))
        #expect(
            String(decoding: try payload.json(), as: UTF8.self)
                == #"{"aps":{"alert":{"title":"t"},"badge":3,"event":"end","mutable-content":1,"#
                + #""sound":{"critical":1,"name":"default","volume":0.5}}}"#)
        payload.aps?.alert = nil
        payload.aps?.badge = nil
        payload.aps?.sound = nil
        // A `null` that was kept appears again if its property is `nil`.
        #expect(
            String(decoding: try payload.json(), as: UTF8.self)
                == #"{"aps":{"badge":null,"event":"end","mutable-content":1}}"#)
    }

    @Test("The order of members does not change the bytes")
    func theOrderOfMembersDoesNotChangeTheBytes() throws {
        let names = (0..<40).map { "name\($0 * 7919 % 100)" }
        let forwards = Dictionary(names.map { ($0, JSONValue.string($0)) }) { first, _ in first }
        var backwards: [String: JSONValue] = Dictionary(minimumCapacity: 500)
        for name in names.reversed() { backwards[name] = .string(name) }
        let one = Payload(title: "t", custom: ["o": .object(forwards)])
        let other = Payload(title: "t", custom: ["o": .object(backwards)])
        #expect(one == other && one.hashValue == other.hashValue)
        #expect(try one.json() == other.json())
    }

    @Test("Equal payloads can have numbers with different text") func equalNumbersKeepTheirText()
        throws
    {
        let texts = [#"{"k":1.50}"#, #"{"k":1.5}"#]
        let payloads = try texts.map { try Payload(parsing: $0.utf8) }
        #expect(payloads[0] == payloads[1])
        #expect(try payloads.map { String(decoding: try $0.json(), as: UTF8.self) } == texts)
    }

    @Test("The JSON has sorted names and no needless byte")
    func theJsonHasSortedNamesAndNoNeedlessByte() throws {
        let text =
            #"{ "z" : "a\/b\u0061\n" , "aps" : { "badge" : 1.0 , "alert" : "é\ud83d\ude00" } , "b" : [ 1 , 2 ] }"#
        let json = try Payload(parsing: text.utf8).json()
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"{"aps":{"alert":"é😀","badge":1},"b":[1,2],"z":"a/ba\n"}"#)
        for vector in try PayloadVector.load() {
            let json = try Payload(parsing: vector.json).json()
            #expect(try JSONDocument(scanning: json.span).whitespace == 0, "\(vector.name)")
        }
    }

    @Test("Infinite numbers and NaN are rejected") func infiniteNumbersAndNanAreRejected() throws {
        for number in [Double.infinity, -.infinity, .nan] {
            var payload = Payload(title: "secret", custom: ["secret": .number(JSONNumber(number))])
            let error = try #require(thrownError { try payload.json() })
            #expect(error.code == .invalidPayload && !error.description.contains("secret"))
            payload.custom = [:]
            payload.aps?.relevanceScore = number
            #expect(errorCode { try payload.json() } == .invalidPayload)
        }
    }

    @Test(
        "JSON that is not strict is rejected",
        arguments: ["", "[]", "null", #"{"aps":{}}x"#, #"{"aps":{},"aps":{}}"#, #"{"aps":{},}"#])
    func jsonThatIsNotStrictIsRejected(text: String) {
        #expect(errorCode { try Payload(parsing: text.utf8) } == .malformedJSON)
        #expect(errorCode { try Payload(parsing: Array(text.utf8)) } == .malformedJSON)
    }

    @Test("The aps is a property and not a custom member")
    func theApsIsAPropertyAndNotACustomMember() throws {
        let payload = try Payload(parsing: #"{"aps":{"badge":1},"k":2}"#.utf8)
        #expect(payload.custom == ["k": 2] && payload.aps?.badge == 1)
        #expect(try Payload(parsing: #"{"k":2}"#.utf8).aps == nil)
        let both = Payload(aps: Payload.APS(), custom: ["aps": 1])
        #expect(String(decoding: try both.json(), as: UTF8.self) == #"{"aps":{}}"#)
        #expect(try Payload(["aps": ["badge": 1], "k": 2]) == payload)
    }

    @Test("Descriptions and dumps show no content") func descriptionsAndDumpsShowNoContent() throws
    {
        let payload = try Payload(
            parsing:
                #"{"aps":{"alert":{"title":"secret","secret":1},"badge":77},"k":"secret","secret":77}"#
                .utf8)
        var dumped = ""
        dump(payload, to: &dumped)
        dump([payload], to: &dumped)
        for text in [
            dumped, "\(payload)", String(reflecting: payload), "\([payload])",
            "\(Optional(payload) as Any)",
        ] {
            #expect(!text.contains("secret") && !text.contains("77") && !text.isEmpty, "\(text)")
        }
        #expect(Mirror(reflecting: payload).children.isEmpty)
    }

    @Test(
        "JSON that Swift values cannot hold is rejected",
        arguments: [
            "{\"aps\":{},\"caf\u{E9}\":1,\"cafe\u{301}\":2}", "{\"k\":[{\"K\":1,\"\u{212A}\":2}]}",
        ])
    func jsonThatSwiftValuesCannotHoldIsRejected(json: String) {
        #expect(throws: PushCryptError(.malformedJSON, "")) { try Payload(parsing: json.utf8) }
    }

    @Test("A number beyond Double keeps its text") func numbersBeyondDouble() throws {
        let json = #"{"aps":{"relevance-score":1e400},"k":[-1e400]}"#
        #expect(String(decoding: try Payload(parsing: json).json(), as: UTF8.self) == json)
        #expect(errorCode { try Payload(parsing: #"{"aps":{"badge":1e400}}"#) } == .typeMismatch)
    }
}
