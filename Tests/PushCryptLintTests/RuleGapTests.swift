import PushCryptTesting
import Testing

@testable import PushCryptLint
@testable import PushCryptReceiver

/// Tests of payloads that almost break a rule.
@Suite struct RuleGapTests {
    private func findings(
        _ json: String, _ type: PushType = .alert, strings: DictionaryStringTable? = nil
    ) throws -> [String] {
        try PayloadLint(
            json: json.utf8, headers: APNsHeaders(type), strings: strings
        ).findings.map { "\($0.rule.id) \($0.location)" }
    }

    /// The device doesn't look for it there.
    @Test(
        "A sealed value in aps is misplaced",
        arguments: [
            (
                #"{"aps":{"alert":{"body":"a"},"mutable-content":1,"ENCRYPTED_DATA":"x"}}"#,
                "aps.ENCRYPTED_DATA"
            ),
            (
                #"{"aps":{"alert":{"body":"a","ENCRYPTED_DATA":"x"},"mutable-content":1}}"#,
                "aps.alert.ENCRYPTED_DATA"
            ),
        ])
    func misplacedValue(json: String, place: String) throws {
        #expect(try findings(json).contains("sealed-value-misplaced \(place)"))
    }

    /// A needless escape takes bytes, but doesn't change the name.
    @Test(
        "A name with an escape is the same name",
        arguments: [
            (PushType.alert, #"{"aps":{"alert":"a","interruption-level":"p\u0061ssive"}}"#),
            (.alert, #"{"aps":{"alert":"a","interruption-level":"time\u002dsensitive"}}"#),
            (
                .liveActivity,
                #"{"aps":{"event":"upd\u0061te","timestamp":1764000000,"content-state":{}}}"#
            ),
        ])
    func escapedNames(type: PushType, json: String) throws {
        #expect(try findings(json, type).allSatisfy { $0.hasPrefix("needless-escapes") })
        #expect(throws: Never.self) {
            try Sealer(.anonymous).prepare(json: json.utf8, headers: APNsHeaders(type))
        }
    }

    /// The typed payload rejects such a badge, too.
    @Test(
        "A badge beyond 64 bits is an error",
        arguments: ["1e400", "99999999999999999999", "-1e400"])
    func hugeBadge(badge: String) throws {
        let json = #"{"aps":{"alert":"a","badge":\#(badge)}}"#
        #expect(try findings(json).contains { $0.hasSuffix(" aps.badge") })
    }

    /// The receiver and the rule about types accept 1.0 as 1.
    @Test("1.0 counts as 1")
    func one() throws {
        let json = #"{"aps":{"alert":"a","sound":{"critical":1.0,"name":"a.caf","volume":0.5}}}"#
        let content = NotificationContent(
            delivered: try JSONValue(parsing: json.utf8).objectValue ?? [:])
        #expect(content.sound == .critical("a.caf", volume: 0.5))
        #expect(try findings(json) == [])
    }

    @Test("Escapes in names count")
    func escapesInNames() throws {
        #expect(
            try findings(#"{"aps":{"\u0061lert":"a"}}"#).contains {
                $0.hasPrefix("needless-escapes")
            })
        #expect(
            try findings(#"{"aps":{"alert":"a"},"a\/b":1}"#).contains {
                $0.hasPrefix("needless-escapes")
            })
    }

    /// The lines of a Live Activity's alert may be dictionaries with keys.
    @Test("The keys of a Live Activity's alert are looked up")
    func liveActivityKeys() throws {
        let json = """
            {"aps":{"event":"end","timestamp":1764000000,"content-state":{},"alert":{"title":{"loc-key":"UNKNOWN"},\
            "body":{"loc-key":"KNOWN","loc-args":["a"]}}}}
            """
        let found = try findings(
            json, .liveActivity, strings: DictionaryStringTable(["KNOWN": "%@ and %@"]))
        #expect(found.contains { $0.hasPrefix("loc-key-unknown aps.alert.title") })
        #expect(found.contains { $0.hasPrefix("loc-args-too-few aps.alert.body") })
    }

    /// Logs may store an error, so only the finding names the member.
    @Test("No error names a member with exposed text")
    func exposedMember() throws {
        let envelope = "AQ" + String(repeating: "A", count: 74)
        let json = """
            {"aps":{"alert":{"body":"a"},"mutable-content":1},"customer-anna":"4111 1111 1111 \
            1111","ENCRYPTED_DATA":"\(envelope)"}
            """
        for finding in try PayloadLint(json: json.utf8).findings {
            #expect(!finding.error.reason.contains("anna"), "\(finding.error)")
        }
    }

    /// Foundation's parser has no limit for nesting.
    @Test("A deeply nested property list is an error")
    func deepPropertyList() async {
        await #expect(processExitsWith: .success) {
            let depth = 40_000
            let nested =
                String(repeating: "<array>", count: depth)
                + String(repeating: "</array>", count: depth)
            let file = ContentExtensionFile.xml("<key>NSExtension</key>\(nested)")
            #expect(throws: PushCryptError(.malformedPropertyList, "")) {
                try ContentExtension(parsing: file)
            }
        }
    }
}
