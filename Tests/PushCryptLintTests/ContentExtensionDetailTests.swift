import PushCryptTesting
import Testing

@testable import PushCryptLint

/// Tests of the notes about the settings of a content extension.
@Suite struct ContentExtensionDetailTests {
    private func lint(_ attributes: String, _ json: String) throws -> PayloadLint {
        let content = try ContentExtension(
            parsing: ContentExtensionFile(categories: ["A"], attributes: attributes).xml)
        return try PayloadLint(json: json.utf8, contentExtension: content)
    }

    private let payload = #"{"aps":{"alert":"a","category":"A"}}"#

    @Test("No settings give no findings")
    func noDetails() throws {
        #expect(try lint("", payload).findings == [])
    }

    @Test(
        "A note explains each setting",
        arguments: [
            ("UNNotificationExtensionInitialContentSizeRatio", "<real>0.25</real>", "0.25: "),
            ("UNNotificationExtensionDefaultContentHidden", "<true/>", "true: only the extension"),
            ("UNNotificationExtensionDefaultContentHidden", "<false/>", "false: the system shows"),
            (
                "UNNotificationExtensionUserInteractionEnabled", "<true/>",
                "true: the extension's view"
            ),
            (
                "UNNotificationExtensionUserInteractionEnabled", "<false/>",
                "false: a tap opens the app"
            ),
        ])
    func details(_ key: String, _ value: String, _ beginning: String) throws {
        let findings = try lint("<key>\(key)</key>\(value)", payload).findings
        let finding = try #require(findings.first)
        #expect(findings.count == 1)
        #expect(finding.rule == .contentExtensionDetail && finding.rule.severity == .note)
        #expect(finding.location.description == key)
        #expect(finding.location.pointer == nil)
        #expect(finding.detail?.hasPrefix(beginning) == true)
    }

    @Test("The notes come last")
    func order() throws {
        let attributes = """
            <key>UNNotificationExtensionDefaultContentHidden</key><true/>
            <key>UNNotificationExtensionUserInteractionEnabled</key><true/>
            """
        let findings = try lint(attributes, #"{"aps":{"alert":"a","category":"a","foo":1}}"#)
            .findings
        #expect(
            findings.map(\.rule) == [
                .categoryCase, .unknownKey, .contentExtensionDetail, .contentExtensionDetail,
            ])
    }
}
