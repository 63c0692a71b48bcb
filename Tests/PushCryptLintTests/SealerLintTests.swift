import Foundation
import PushCryptTesting
import Testing

@testable import PushCryptLint

/// Tests of the lint and the budget of a sealer.
@Suite struct SealerLintTests {
    private let payload = Payload(title: "t", body: "b", custom: ["k": .null])
    private let sealer = Sealer(.anonymous, truncatableFields: [.body])

    @Test("Bytes and data have the same findings")
    func sameLint() throws {
        let json = try payload.json()
        let lint = try sealer.lint(json: json)
        #expect(lint.findings.map(\.rule) == [.nullValue])
        #expect(try sealer.lint(json: Data(json)) == lint)
    }

    @Test("Bytes and data have the same budget")
    func sameBudget() throws {
        let json = try payload.json()
        let budget = try sealer.budget(json: json)
        #expect(try sealer.budget(json: Data(json)) == budget)
    }

    @Test("A payload that fits after truncation isn't too long")
    func truncation() throws {
        let long = try Payload(title: "t", body: String(repeating: "b", count: 5000)).json()
        #expect(try sealer.lint(json: long).findings.filter { $0.rule == .payloadSize } == [])
        #expect(try Sealer(.anonymous).lint(json: long).findings.map(\.rule) == [.payloadSize])
        let title = try Sealer(.anonymous, truncatableFields: [.title]).lint(json: long)
        #expect(title.findings.map(\.rule) == [.payloadSize])
        #expect(throws: Never.self) { try sealer.prepare(json: long) }
    }

    @Test(
        "No ignored rule lets a payload pass that the format refuses",
        arguments: [
            #"{"collapse-ids":["a b"]}"#, #"{"collapse-ids":[]}"#, #"{"thread-ids":[""]}"#,
            #"{"collapse-ids":null,"thread-ids":["a"]}"#,
            #"{"collapse-ids":["a"],"aps":{"alert":1}}"#,
            #"{"collapse-ids":["a"],"aps":{"alert":{"title":1,"body":"b"}}}"#,
        ])
    func ignoredRules(json: String) throws {
        let sealer = Sealer(.anonymous, ignoredRules: Set(Rule.all.map(\.id)))
        #expect(throws: PushCryptError(.invalidPayload, "")) { try sealer.prepare(json: json.utf8) }
        #expect(try sealer.lint(json: json.utf8).findings.contains { $0.rule.severity == .error })
    }

    @Test(
        "No ignored rule lets a Live Activity's value pass that isn't an object",
        arguments: ["[]", "1", #""a""#])
    func ignoredRulesOfLiveActivities(value: String) throws {
        let sealer = Sealer(.anonymous, ignoredRules: Set(Rule.all.map(\.id)))
        let json = #"{"aps":{"timestamp":1764000000,"event":"end","content-state":\#(value)}}"#
        let headers = APNsHeaders(.liveActivity)
        #expect(
            try sealer.lint(json: json.utf8, headers: headers).findings.contains {
                $0.rule.severity == .error
            })
    }

    @Test(
        "A clock before 2024 or after 2099 is a warning",
        arguments: [
            (0, true), (1_704_067_199, true), (1_704_067_200, false), (4_102_444_799, false),
            (4_102_444_800, true),
            (1e300, true), (-1e300, true),
        ] as [(TimeInterval, Bool)])
    func clock(seconds: TimeInterval, isReported: Bool) throws {
        let sealer = Sealer(.anonymous, time: TestClock(Date(timeIntervalSince1970: seconds)))
        let json = try Payload(title: "t", body: "b").json()
        let findings = try sealer.lint(json: json).findings
        #expect(findings.map(\.rule) == (isReported ? [.senderClock] : []))
        #expect(
            findings.allSatisfy {
                $0.message.hasPrefix("the clock: The time isn't between 2024 and 2100")
            })
    }

    @Test("A property list may be data")
    func propertyListData() throws {
        let list = """
            <?xml version="1.0" encoding="UTF-8"?><plist \
            version="1.0"><dict><key>NSExtension</key><dict>\
            <key>NSExtensionAttributes</key><dict><key>UNNotificationExtensionCategory</key><string>C</string></dict>\
            </dict></dict></plist>
            """
        #expect(try ContentExtension(parsing: Data(list.utf8)).categories == ["C"])
    }
}
