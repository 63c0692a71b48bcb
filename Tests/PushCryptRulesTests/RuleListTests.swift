import PushCryptTesting
import Testing

/// The list of all rules, which programs and the documentation rely on.
@Suite struct RuleListTests {
    @Test("Each rule has its own name")
    func names() {
        #expect(Set(Rule.all.map(\.id)).count == Rule.all.count)
        #expect(Rule.all.count >= 46)
        for rule in Rule.all {
            #expect(rule.id.rawValue.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
            #expect(rule.id.description == rule.id.rawValue)
            #expect(Rule.ID(rawValue: rule.id.rawValue) == rule.id)
        }
    }

    @Test("The rules about readable text are warnings")
    func exposedText() {
        let rules: [Rule] = [
            .clearCardNumber, .clearIBAN, .clearEmailAddress, .clearOneTimeCode, .clearPhoneNumber, .clearLongText,
        ]
        #expect(rules.map(\.severity) == Array(repeating: .warning, count: 6))
        #expect(Rule.all.filter { $0.id.rawValue.hasPrefix("clear-") } == rules)
    }

    @Test("Messages and fixes are sentences on one line")
    func texts() {
        for rule in Rule.all {
            for text in [rule.message, rule.fix] {
                #expect(text.first?.isUppercase == true && text.hasSuffix("."), "\(rule.id)")
            }
            // The reference has a table of them.
            #expect(!(rule.message + rule.fix).contains { $0.isNewline || $0 == "|" }, "\(rule.id)")
        }
    }

    @Test("Severities sort with the worst first")
    func severities() {
        #expect(Rule.Severity.allCases.sorted() == [.error, .warning, .note])
        #expect(Rule.Severity.error < .warning)
        #expect(!(Rule.Severity.note < .note))
    }

    @Test("Two rules are notes")
    func notes() {
        #expect(Rule.all.filter { $0.severity == .note } == [.liveActivityAlertVisible, .contentExtensionDetail])
    }
}
