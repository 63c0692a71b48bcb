import PushCryptTesting
import Testing

@testable import PushCryptLint

/// Tests of the order and the number of findings, the budget and the options.
@Suite struct PayloadLintTests {
    /// The capacity of a signed alert: ⌊(4096 − 80) · 3 / 4⌋ − 57 − 32 − 72.
    private let capacity = 2851

    private func sealed(_ json: String, type: PushType = .alert) throws -> [UInt8] {
        try Sealer(.anonymous).seal(
            json: json.utf8, for: TestKeys.device().publicKey, headers: APNsHeaders(type)
        )
        .payload
    }

    @Test("Ten faults are ten findings")
    func tenFaults() throws {
        let json = """
            {"aps":{"alert":{"title":"","body":7,"action-loc-key":"K","loc-args":["a"]},"badge":-1,"sound":{"volume":2},\
            "interruption-level":"urgent","relevance-score":9,"mutable-content":true,"foo":1},"k":[null]}
            """
        let lint = try PayloadLint(json: json.utf8)
        #expect(
            lint.findings.map { "\($0.rule.id) \($0.location)" } == [
                "wrong-type aps.alert.body", "badge-range aps.badge",
                "volume-range aps.sound.volume",
                "unknown-interruption-level aps.interruption-level",
                "relevance-range aps.relevance-score", "no-alert-text aps.alert",
                "flag-boolean aps.mutable-content", "unknown-key aps.foo",
                "deprecated-key aps.alert.action-loc-key", "sound-not-critical aps.sound",
                "null-value k.0", "loc-args-without-key aps.alert.loc-args",
            ])
        // The sealer throws the first error.
        #expect(throws: PushCryptError(.invalidPayload, "")) {
            try Sealer(.anonymous).prepare(json: json.utf8)
        }
    }

    @Test("The worst findings come first")
    func order() throws {
        // The payload has the notes first, then a warning, then the errors.
        let json = """
            {"aps":{"alert":{"title":"t","body":"b","loc-args":[]},"event":"pause","timestamp":1764000000,\
            "content-state":{"x":null},"foo":1}}
            """
        let lint = try PayloadLint(json: json.utf8, headers: APNsHeaders(.liveActivity))
        #expect(
            lint.findings.map { "\($0.rule.severity) \($0.location)" } == [
                "error aps.event", "error aps.foo", "warning aps.content-state.x",
                "warning aps.alert.loc-args",
                "note aps.alert.title", "note aps.alert.body", "note aps.alert.loc-args",
            ])
        #expect(try PayloadLint(json: json.utf8, headers: APNsHeaders(.liveActivity)) == lint)
    }

    @Test("A rule has at most 100 findings")
    func manyFindings() throws {
        let name = String(repeating: "n", count: 30_000)
        let nulls = Array(repeating: "null", count: 1000).joined(separator: ",")
        let json = #"{"aps":{"alert":"a","foo":1},"\#(name)":[\#(nulls)]}"#
        let lint = try PayloadLint(json: json.utf8)
        let found = lint.findings.filter { $0.rule == .nullValue }
        #expect(found.count == 100 && lint.omitted == 900)
        #expect(lint.findings.contains { $0.rule == .unknownKey })
        #expect(found.first?.location.description == String(repeating: "n", count: 64) + "….0")
        #expect(found.first?.location.pointer == "/\(name)/0")
        #expect(try PayloadLint(json: #"{"aps":{"alert":"a"},"k":null}"#.utf8).omitted == 0)
    }

    @Test("A payload is an original or sealed")
    func subject() throws {
        let original = #"{ "aps":{"alert":"a"}}"#
        let lint = try PayloadLint(json: original.utf8)
        #expect(!lint.isSealed)
        #expect(lint.length == original.utf8.count && lint.limit == 4096)
        #expect(lint.budget?.used == original.utf8.count - 1)
        #expect(lint.findings == [])

        let travelling = try sealed(original)
        let second = try PayloadLint(json: travelling)
        #expect(second.isSealed)
        #expect(second.length == travelling.count && second.limit == 4096)
        #expect(second.budget == nil)
        #expect(second.findings == [])
        #expect(try PayloadLint(json: "{}".utf8, headers: APNsHeaders(.voip)).limit == 5120)
    }

    @Test(
        "A sealed payload has no findings",
        arguments: [
            (PushType.alert, #"{"aps":{"alert":"a","category":"c","thread-id":"t"},"k":[1]}"#),
            (.background, #"{"aps":{"content-available":1},"k":1}"#), (.voip, #"{"k":1}"#),
            (
                .liveActivity,
                #"{"aps":{"event":"update","timestamp":1764000000,"content-state":{"k":1}}}"#
            ),
            (
                .liveActivity,
                #"{"aps":{"event":"start","timestamp":1764000000,"content-state":{},"attributes":{},"attributes-type":"A","#
                    + #""alert":{"title":{"loc-key":"K"}}}}"#
            ),
        ])
    func sealedPayload(type: PushType, json: String) throws {
        let sealer = Sealer(
            .signed(by: try TestKeys.sender()),
            placeholder: Placeholder(title: .localized(key: "K")),
            exposedKeys: Set(ExposedKey.allCases))
        let push = try sealer.seal(
            json: json.utf8, for: TestKeys.device().publicKey, headers: APNsHeaders(type))
        let lint = try PayloadLint(json: push.payload, headers: APNsHeaders(type))
        #expect(lint.isSealed)
        #expect(lint.findings == [])
    }

    @Test("Lint uses the options of the sealer")
    func options() throws {
        let json = Array(#"{"aps":{"alert":"a","category":"cc"}}"#.utf8)
        let key = try TestKeys.sender()
        #expect(try PayloadLint(json: json).budget?.capacity == capacity)
        #expect(try Sealer(.signed(by: key)).lint(json: json).budget?.capacity == capacity)
        #expect(try Sealer(.anonymous).lint(json: json).budget?.capacity == capacity + 72)
        // `,"category":"cc"` are 16 bytes, which are 12 bytes of the message.
        #expect(
            try Sealer(.signed(by: key), exposedKeys: [.category]).lint(json: json).budget?.capacity
                == capacity - 12)
        #expect(
            try Sealer(.signed(by: key), placeholder: Placeholder(body: "(Encrypted)1234")).lint(
                json: json
            ).budget?
            .capacity == capacity - 3)
        let strings = DictionaryStringTable(["K": "k"])
        let localized = Array(#"{"aps":{"alert":{"loc-key":"L"}}}"#.utf8)
        #expect(try Sealer(.anonymous).lint(json: localized).findings == [])
        #expect(
            try Sealer(.anonymous).lint(json: localized, strings: strings).findings.map(\.rule) == [
                .locKeyUnknown
            ])
    }

    @Test("Lint and sealer have the same budget")
    func budget() throws {
        let json = Array(#"{"aps":{"alert":{"title":"a","body":"b"}},"k":{"x":[1,2,3]}}"#.utf8)
        for type in [PushType.alert, .background, .voip] {
            let sealer = Sealer(.anonymous)
            #expect(
                try sealer.lint(json: json, headers: APNsHeaders(type)).budget
                    == sealer.budget(json: json, type: type))
        }
    }

    @Test("Malformed JSON is an error")
    func malformed() {
        for json in ["", "[]", "{", #"{"aps":{},"aps":{}}"#] {
            #expect(throws: PushCryptError(.malformedJSON, "")) { try PayloadLint(json: json.utf8) }
        }
        #expect(throws: PushCryptError(.invalidPlaceholder, "")) {
            try PayloadLint(
                json: #"{"aps":{"alert":"a"}}"#.utf8, placeholder: Placeholder())
        }
    }

    @Test("Each list of arguments has its own finding")
    func arguments() throws {
        let json = """
            {"aps":{"alert":{"title-loc-key":"T","subtitle-loc-key":"S","loc-key":"B","loc-args":["a"],\
            "subtitle-loc-args":["b"]}}}
            """
        let strings = DictionaryStringTable(["T": "%@", "S": "%2$@", "B": "%@"])
        let lint = try PayloadLint(json: json.utf8, strings: strings)
        #expect(
            lint.findings.map(\.message).map { String($0.prefix { $0 != ":" }) } == [
                "aps.alert.title-loc-args", "aps.alert.subtitle-loc-args",
            ])
        #expect(lint.findings.map(\.detail) == ["0 of 1", "1 of 2"])
    }
}
