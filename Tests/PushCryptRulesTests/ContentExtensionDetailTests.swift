import PushCryptTesting
import Testing

/// What a content extension's property list does to the opened payload, told as notes.
@Suite struct ContentExtensionDetailTests {
    private func review(_ attributes: String, _ json: String) throws -> PayloadLint {
        let content = try ContentExtension(
            parsing: ContentExtensionFile(categories: ["A"], attributes: attributes).xml)
        return try PayloadLint(json: json.utf8, options: PayloadLint.Options(contentExtension: content))
    }

    private let payload = #"{"aps":{"alert":"a","category":"A"}}"#

    @Test func nothingSetIsNothingTold() throws {
        #expect(try review("", payload).findings == [])
    }

    @Test(arguments: [
        ("UNNotificationExtensionInitialContentSizeRatio", "<real>0.25</real>", "0.25: "),
        ("UNNotificationExtensionDefaultContentHidden", "<true/>", "true: the opened title"),
        ("UNNotificationExtensionDefaultContentHidden", "<false/>", "false: the system shows"),
        ("UNNotificationExtensionUserInteractionEnabled", "<true/>", "true: touches go to"),
        ("UNNotificationExtensionUserInteractionEnabled", "<false/>", "false: a tap opens the app"),
    ])
    func eachKeyIsExplained(_ key: String, _ value: String, _ beginning: String) throws {
        let findings = try review("<key>\(key)</key>\(value)", payload).findings
        let finding = try #require(findings.first)
        #expect(findings.count == 1)
        #expect(finding.rule == .contentExtensionDetail && finding.rule.severity == .note)
        #expect(finding.place.description == key)
        #expect(finding.place.pointer == nil)
        #expect(finding.detail?.hasPrefix(beginning) == true)
    }

    @Test func theyComeLast() throws {
        let attributes = """
            <key>UNNotificationExtensionDefaultContentHidden</key><true/>
            <key>UNNotificationExtensionUserInteractionEnabled</key><true/>
            """
        let findings = try review(attributes, #"{"aps":{"alert":"a","category":"a","foo":1}}"#).findings
        #expect(
            findings.map(\.rule) == [.categoryCase, .unknownKey, .contentExtensionDetail, .contentExtensionDetail])
    }
}
