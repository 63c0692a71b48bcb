import PushCryptTesting
import TestSupport
import Testing

/// Every rule, on payloads that break it and on payloads that miss it by little.
@Suite struct RuleVectorTests {
    /// Rules with tests of their own: what is left in the clear is a subject by itself, and the content extension's details
    /// are found in no payload.
    private func hasOwnTests(_ rule: Rule) -> Bool {
        rule.id.rawValue.hasPrefix("clear-") || rule == .contentExtensionDetail
    }

    @Test("Each rule has payloads that break it and payloads that keep it")
    func corpus() {
        for rule in Rule.all where !hasOwnTests(rule) {
            for breaks in [true, false] {
                let count = RuleVector.all.count { $0.rule == rule.id.rawValue && $0.breaks == breaks }
                #expect(count >= 1, "\(rule.id), \(breaks ? "broken" : "missed by little")")
            }
        }
        let ids = Set(Rule.all.map(\.id.rawValue))
        #expect(RuleVector.all.allSatisfy { ids.contains($0.rule) })
        #expect(Set(RuleVector.all.map(\.testDescription)).count == RuleVector.all.count)
    }

    @Test(arguments: RuleVector.all)
    func vector(_ vector: RuleVector) throws {
        let lint = try vector.lint()
        let expected = (vector.breaks ? [vector.rule] : []) + (vector.also ?? [])
        // What is left in the clear is a subject by itself.
        let found = lint.findings.map(\.rule.id.rawValue).filter { !$0.hasPrefix("clear-") }
        #expect(found.sorted() == expected.sorted(), "No other rule is broken.")
        guard vector.breaks else { return }
        let finding = try #require(lint.findings.first { $0.rule.id.rawValue == vector.rule })
        #expect(finding.location.description == vector.location)
        #expect(finding.location.pointer == vector.pointer)
        #expect(finding.detail == vector.detail)
        let detail = vector.detail.map { " (\($0))" } ?? ""
        #expect(finding.message == "\(vector.location): \(finding.rule.message.dropLast())\(detail).")
    }

    @Test("The sealer refuses errors only", arguments: RuleVector.all)
    func sealer(_ vector: RuleVector) throws {
        let lint = try vector.lint()
        guard lint.subject == .original else { return }
        let error = refusal(by: try vector.sealer(), of: vector)
        guard let finding = lint.findings.first(where: Self.isRefused) else {
            #expect(error == nil, "Warnings are none of the sealer's business.")
            return
        }
        switch finding.rule {
        case .noAlertText: #expect(error?.code == .noAlertText)
        case .payloadSize: #expect(error?.code == .payloadTooLarge)
        default: #expect(error?.code == .invalidPayload)
        }
        #expect(finding.error.code == error?.code)
        if finding.rule != .payloadSize { #expect(finding.error.reason == error?.reason) }
    }

    @Test("The sealer ignores a rule on request", arguments: RuleVector.all)
    func ignoredRules(_ vector: RuleVector) throws {
        let lint = try vector.lint()
        let errors = Set(lint.findings.filter(Self.isRefused).map(\.rule.id))
        guard lint.subject == .original, !errors.isEmpty, !errors.contains(Rule.payloadSize.id) else { return }
        for id in errors {
            // One rule is not another.
            let others = errors.subtracting([id])
            #expect(refusal(by: try vector.sealer(ignoredRules: others), of: vector)?.code != nil)
        }
        // What belongs to a Live Activity is sealed as a dictionary, or not at all.
        let isLost =
            ["aps.content-state", "aps.attributes"].contains(vector.location) && vector.rule == "wrong-type"
            || !errors.isDisjoint(with: [Rule.apsMissing.id, Rule.apsNotDictionary.id])
        guard try vector.pushType != .liveActivity || !isLost else { return }
        #expect(refusal(by: try vector.sealer(ignoredRules: errors), of: vector) == nil)
    }

    @Test("The sealer always refuses a payload that is too long")
    func payloadSize() throws {
        let vector = try #require(RuleVector.all.first { $0.rule == Rule.payloadSize.id.rawValue && $0.breaks })
        let sealer = try vector.sealer(ignoredRules: Set(Rule.all.map(\.id)))
        #expect(refusal(by: sealer, of: vector)?.code == .payloadTooLarge)
    }

    /// Errors that a sealer sees: it has no string table and no content extension.
    private static func isRefused(_ finding: Finding) -> Bool {
        let lintOnly: [Rule] = [.locKeyUnknown, .locArgsTooFew, .categoryUndeclared, .categoryCase]
        return finding.rule.severity == .error && !lintOnly.contains(finding.rule)
    }

    private func refusal(by sealer: Sealer, of vector: RuleVector) -> PushCryptError? {
        do {
            _ = try sealer.prepare(json: vector.json, headers: APNsHeaders(vector.pushType))
            return nil
        } catch {
            return error as? PushCryptError
        }
    }
}
