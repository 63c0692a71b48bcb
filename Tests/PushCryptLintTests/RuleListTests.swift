import PushCryptTesting
import Testing

@testable import PushCryptLint

/// Tests of the list of all rules.
@Suite struct RuleListTests {
    @Test("Each rule has its own name")
    func names() {
        #expect(Set(Rule.all.map(\.id)).count == Rule.all.count)
        #expect(Rule.all.count >= 56)
        for rule in Rule.all {
            #expect(rule.id.rawValue.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
            #expect(rule.id.description == rule.id.rawValue)
            #expect(Rule.ID(rawValue: rule.id.rawValue) == rule.id)
        }
    }

    @Test("The rules about readable text are warnings")
    func exposedText() {
        let rules = Rule.all.filter { $0.id.rawValue.hasPrefix("clear-") }
        #expect(
            rules.map(\.id.rawValue) == [
                "clear-card-number", "clear-iban", "clear-email-address", "clear-one-time-code",
                "clear-phone-number", "clear-long-text",
            ])
        #expect(rules.allSatisfy { $0.severity == .warning })
    }

    @Test("Messages and fixes are sentences on one line")
    func texts() {
        for rule in Rule.all {
            for text in [rule.message, rule.fix] {
                #expect(text.first?.isUppercase == true && text.hasSuffix("."), "\(rule.id)")
            }
            // The documentation has a table of the rules.
            #expect(!(rule.message + rule.fix).contains { $0.isNewline || $0 == "|" }, "\(rule.id)")
        }
    }

    @Test("The worst severity is the first")
    func severities() {
        #expect(Rule.Severity.allCases == [.error, .warning, .note])
    }

    @Test("Four rules are notes")
    func notes() {
        #expect(
            Rule.all.filter { $0.severity == .note } == [
                .liveActivityAlertReplaced, .withdrawalShown, .notSealable, .contentExtensionDetail,
            ])
    }
}
