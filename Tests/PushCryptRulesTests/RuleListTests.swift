import PushCryptTesting
import Testing

/// The list of all rules, which programs and the documentation rely on.
@Suite struct RuleListTests {
    @Test func everyRuleHasANameOfItsOwn() {
        #expect(Set(Rule.all.map(\.id)).count == Rule.all.count)
        #expect(Rule.all.count >= 46)
        for rule in Rule.all {
            #expect(rule.id.rawValue.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
            #expect(rule.id.description == rule.id.rawValue)
            #expect(Rule.ID(rawValue: rule.id.rawValue) == rule.id)
        }
    }

    @Test func whatIsLeftInTheClearIsAWarning() {
        let rules: [Rule] = [
            .clearCardNumber, .clearIBAN, .clearEmailAddress, .clearOneTimeCode, .clearPhoneNumber, .clearLongText,
        ]
        #expect(rules.map(\.severity) == Array(repeating: .warning, count: 6))
        #expect(Rule.all.filter { $0.id.rawValue.hasPrefix("clear-") } == rules)
    }

    @Test func theTextsAreSentencesOnOneLine() {
        for rule in Rule.all {
            // Behind a place and a colon.
            #expect(rule.what.first?.isLowercase == true, "\(rule.id)")
            #expect(!rule.what.hasSuffix("."), "\(rule.id)")
            #expect(rule.mend.first?.isUppercase == true, "\(rule.id)")
            #expect(rule.mend.hasSuffix("."), "\(rule.id)")
            // They end up in a table and in logs.
            #expect(!(rule.what + rule.mend).contains { $0.isNewline || $0 == "|" }, "\(rule.id)")
        }
    }

    @Test func theWorseComesFirst() {
        #expect(Rule.Severity.allCases.sorted() == [.error, .warning, .note])
        #expect(Rule.Severity.error < .warning)
        #expect(!(Rule.Severity.note < .note))
    }

    @Test func onlyWhatIsAlwaysInOrderIsANote() {
        #expect(Rule.all.filter { $0.severity == .note } == [.liveActivityAlertVisible, .contentExtensionDetail])
    }
}
