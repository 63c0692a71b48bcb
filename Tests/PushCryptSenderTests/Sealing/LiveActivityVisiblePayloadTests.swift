import PushCryptLint
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver
@testable import PushCryptSender

/// Tests of the visible part of a Live Activity push.
@Suite struct LiveActivityVisiblePayloadTests {
    private let recipient: RecipientPublicKey
    static let gap = #"{"ENCRYPTED_DATA":""}"#

    init() throws {
        recipient = try TestKeys.device().publicKey
    }

    private func visible(
        _ json: String, placeholder: Placeholder = Placeholder(),
        exposing keys: Set<ExposedKey> = [.alert]
    ) throws -> VisiblePayload {
        try VisiblePayload(
            OriginalPayload(Array(json.utf8)), .liveActivity, placeholder: placeholder,
            exposedKeys: keys)
    }

    private func text(_ part: VisiblePayload) -> String {
        String(decoding: part.bytes, as: UTF8.self)
    }

    @Test(
        "The content state is sealed and the rest stays as it is",
        arguments: [
            (
                #"{"timestamp":1,"#, #"{"a":[1,{}]}"#,
                #","event":"update","alert":{"title":"t\/\u0061"}}"#
            ),
            ("{", "{}", #","event":"update","timestamp":1.50e1,"content-st":{}}"#),
            (#"{"event":"end","stale-date":12345678901234567890,"#, #"{"k":"content-state"}"#, "}"),
        ])
    func theContentStateIsSealedAndTheRestStaysAsItIs(before: String, state: String, after: String)
        throws
    {
        let frame = (before: #"{"aps":"# + before + #""content-state":"#, after: after + "}")
        let part = try visible(frame.before + state + frame.after)
        #expect(text(part) == frame.before + Self.gap + frame.after)
        #expect(part.slots.count == 1)
        let slot = try #require(part.slots.first)
        #expect(slot.offset == frame.before.utf8.count + Self.gap.utf8.count - 2)
        let original = Array((frame.before + state + frame.after).utf8)
        #expect(Array(original[slot.original]) == Array(state.utf8))
    }

    @Test(
        "Content state and attributes are sealed in their order",
        arguments: [
            ("content-state", "attributes"), ("attributes", "content-state"),
            ("\\u0061ttributes", "content\\u002dstate"),
        ])
    func contentStateAndAttributesAreSealedInTheirOrder(first: String, second: String) throws {
        let json = #"{"aps":{"\#(first)":{"f":1},"alert":"a","\#(second)":{"s":22}},"other":{}}"#
        let part = try visible(json)
        #expect(
            text(part)
                == #"{"aps":{"\#(first)":\#(Self.gap),"alert":"a","\#(second)":\#(Self.gap)},"other":{}}"#
        )
        #expect(
            part.slots.map { String(decoding: Array(json.utf8)[$0.original], as: UTF8.self) }
                == [#"{"f":1}"#, #"{"s":22}"#])
        for slot in part.slots {
            let marker = Array(#"{"ENCRYPTED_DATA":""#.utf8)
            #expect(part.bytes[..<slot.offset].suffix(marker.count) == marker[...])
            #expect(part.bytes[slot.offset...].starts(with: #""}"#.utf8))
        }
    }

    @Test(
        "The placeholder replaces the words of the alert, and its sound stays",
        arguments: [
            (#""HIV result is ready""#, #"{"body":"(Encrypted)"}"#),
            (#"{"title":"a","subtitle":"b","body":"c"}"#, #"{"body":"(Encrypted)"}"#),
            (
                #"{"title-loc-key":"A","title-loc-args":["b"],"loc-key":"C","loc-args":["d"]}"#,
                #"{"body":"(Encrypted)"}"#
            ),
            (#"{"title":{"loc-key":"A","loc-args":["b"]}}"#, #"{"body":"(Encrypted)"}"#),
            (
                #"{"body":"c","sound":"ring\u002ecaf"}"#,
                #"{"body":"(Encrypted)","sound":"ring\u002ecaf"}"#
            ),
            (#"{"s\u006fund":"a"}"#, #"{"body":"(Encrypted)","sound":"a"}"#),
            (#"{"sound":{"name":"a"}}"#, #"{"body":"(Encrypted)"}"#),
            ("[1]", #"{"body":"(Encrypted)"}"#), ("null", "null"),
        ], [false, true])
    func alertIsReplaced(alert: (original: String, visible: String), isLast: Bool) throws {
        func json(_ state: String, _ alert: String) -> String {
            let members = [#""content-state":\#(state)"#, #""alert":\#(alert)"#]
            return #"{"aps":{"event":"start","#
                + (isLast ? members : members.reversed()).joined(separator: ",") + "}}"
        }
        let original = json(#"{"a":1}"#, alert.original)
        let part = try visible(original, placeholder: .standard, exposing: [.sound, .category])
        #expect(text(part) == json(Self.gap, alert.visible))
        let slot = try #require(part.slots.first)
        #expect(part.bytes[..<slot.offset].reversed().starts(with: #"":"#.utf8))
        #expect(text(try visible(original, exposing: [.alert])) == json(Self.gap, alert.original))
    }

    @Test("A localized placeholder stands in the alert, and no alert gets none") func placeholder()
        throws
    {
        let placeholder = Placeholder(title: "News", body: .localized(key: "KEY", arguments: ["1"]))
        let part = try visible(
            #"{"aps":{"alert":"a","content-state":{}}}"#, placeholder: placeholder, exposing: [])
        #expect(
            text(part)
                == #"{"aps":{"alert":{"title":"News","loc-key":"KEY","loc-args":["1"]},"content-state":\#(Self.gap)}}"#
        )
        let without = try visible(
            #"{"aps":{"content-state":{}}}"#, placeholder: placeholder, exposing: [])
        #expect(text(without) == #"{"aps":{"content-state":\#(Self.gap)}}"#)
    }

    @Test("The same names elsewhere are not sealed") func theSameNamesElsewhereAreNotSealed() throws
    {
        let json =
            #"{"content-state":{"a":1},"aps":{"event":"end","timestamp":1,"alert":{"content-state":{},"attributes":{}}}}"#
        #expect(throws: PushCryptError(.invalidPayload, "")) { try visible(json) }
        let part = try visible(
            json.replacing(#""event""#, with: #""content-state":{"b":2},"event""#))
        let expected = json.replacing(#""event""#, with: #""content-state":\#(Self.gap),"event""#)
        #expect(text(part) == expected && part.slots.count == 1)
    }

    @Test(
        "Two sealed values fit and have the announced length", arguments: Padding.allCases,
        [true, false])
    func twoSealedValuesFitAndHaveTheAnnouncedLength(padding: Padding, signed: Bool) throws {
        var random = RandomPayload(seed: 6)
        let sealer = Sealer(
            signed ? .signed(by: try TestKeys.sender()) : .anonymous, padding: padding)
        let headers = APNsHeaders(.liveActivity)
        var lengths: Set<Int> = []
        for _ in 0..<LongRun.count(20, full: 100) {
            let counts = (0..<2).map { _ in
                Int.random(in: 0...random.pick([100, 1300, 2600]), using: &random)
            }
            let texts = counts.map { String(repeating: "x", count: $0) }
            let json = """
                {"aps":{"timestamp":1,"event":"start","attributes-type":"T","attributes":{"a":"\(texts[0])"},\
                "content-state":{"s":"\(texts[1])"}}}
                """
            let budget = try sealer.budget(json: Array(json.utf8), type: .liveActivity)
            guard budget.remaining >= 0 else {
                #expect(throws: PushCryptError(.payloadTooLarge, "")) {
                    try sealer.prepare(json: json.utf8, headers: headers)
                }
                continue
            }
            let prepared = try sealer.prepare(json: json.utf8, headers: headers)
            let push = try prepared.seal(for: recipient)
            #expect(push.payload.count == prepared.payloadLength && push.payload.count <= 4096)
            if counts.allSatisfy({ $0 < 1000 }) { lengths.insert(push.payload.count) }
        }
        // Padding hides the length of short values.
        if padding == .maximum { #expect(lengths.count == 1) }
        if padding == .buckets { #expect(lengths.count <= 10) }
    }

    @Test("Each sealed value is a separate message") func eachSealedValueIsASeparateMessage() throws
    {
        let json = """
            {"aps":{"timestamp":1,"event":"start","attributes-type":"T","attributes":{"a":1},"content-state":{"a":1}}}
            """
        let device = try TestKeys.device()
        let push = try Sealer(.anonymous).seal(
            json: json.utf8, for: recipient, headers: APNsHeaders(.liveActivity))
        let aps = try #require(JSONValue(parsing: push.payload)["aps"])
        let opener = Opener(keys: InMemoryKeyStore([device]), senderPolicy: .anyone)
        let kinds = [
            ("attributes", MessageKind.activityAttributes), ("content-state", .activityState),
        ]
        let opened = try kinds.map { (key: String, kind) in
            let text = try #require(aps[key]?["ENCRYPTED_DATA"]?.stringValue)
            return try opener.open(SealedValue(text: Array(text.utf8)), as: [kind])
        }
        #expect(
            opened.map { String(decoding: $0.payload, as: UTF8.self) } == [
                #"{"a":1}"#, #"{"a":1}"#,
            ])
        #expect(opened[0].messageID != opened[1].messageID)
    }

    /// Most of the push isn't sealed, so a state under a misspelled name would be readable.
    @Test("A content state under another name is rejected")
    func aContentStateUnderAnotherNameIsRejected() throws {
        for members in [
            #""content-state":{},"contentState":{"pin":1234}"#,
            #""content-state":{},"alert":{"content-state":{"pin":1234}}"#,
            #""content-state":{},"sound":{"content-state":{"pin":1234}}"#,
        ] {
            let json = Array(#"{"aps":{"event":"end","timestamp":1,\#(members)}}"#.utf8)
            let headers = APNsHeaders(.liveActivity)
            #expect(throws: PushCryptError(.invalidPayload, "")) {
                try Sealer(.anonymous).seal(json: json, for: recipient, headers: headers)
            }
            var sealer = Sealer(.anonymous)
            sealer.ignoredRules = [.liveActivityUnknownKey]
            #expect(throws: Never.self) {
                try sealer.seal(json: json, for: recipient, headers: headers)
            }
        }
    }

    @Test(
        "A Live Activity push without aps is rejected even if all rules are ignored",
        arguments: [
            #"{"content-state":{"pin":1}}"#, #"{"aps":[{"content-state":{"pin":1}}]}"#,
            #"{"aps":null}"#,
        ])
    func aLiveActivityPushWithoutApsIsRejectedEvenIfAllRulesAreIgnored(json: String) {
        var sealer = Sealer(.anonymous)
        sealer.ignoredRules = Set(Rule.all.map(\.id))
        #expect(throws: PushCryptError(.invalidPayload, "")) {
            try sealer.seal(
                json: Array(json.utf8), for: recipient, headers: APNsHeaders(.liveActivity))
        }
    }
}
