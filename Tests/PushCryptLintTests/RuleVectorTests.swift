import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptLint

/// Tests of each rule with payloads that break it or almost break it.
@Suite struct RuleVectorTests {
    /// Returns whether a rule has its own tests: those about readable text, the clock and the
    /// content extension's Info.plist.
    private func hasOwnTests(_ rule: Rule) -> Bool {
        rule.id.rawValue.hasPrefix("clear-")
            || [.contentExtensionDetail, .senderClock].contains(rule)
    }

    @Test("Each rule has payloads that break it and payloads that keep it")
    func corpus() throws {
        let vectors = try RuleVector.all()
        for rule in Rule.all where !hasOwnTests(rule) {
            for breaks in [true, false] {
                let count = vectors.count { $0.rule == rule.id.rawValue && $0.breaks == breaks }
                #expect(count >= 1, "\(rule.id), \(breaks ? "broken" : "missed by little")")
            }
        }
        let ids = Set(Rule.all.map(\.id.rawValue))
        #expect(vectors.allSatisfy { ids.contains($0.rule) })
    }

    @Test("A payload has the findings of its vector", arguments: try RuleVector.all())
    func vector(_ vector: RuleVector) throws {
        let lint = try vector.lint()
        let expected = (vector.breaks ? [vector.rule] : []) + (vector.also ?? [])
        // Readable text has its own tests.
        let found = lint.findings.map(\.rule.id.rawValue).filter { !$0.hasPrefix("clear-") }
        #expect(found.sorted() == expected.sorted(), "No other rule is broken.")
        guard vector.breaks else { return }
        let finding = try #require(lint.findings.first { $0.rule.id.rawValue == vector.rule })
        #expect(finding.location.description == vector.location)
        #expect(finding.location.pointer == vector.pointer)
        #expect(finding.detail == vector.detail)
        let detail = vector.detail.map { " (\($0))" } ?? ""
        #expect(
            finding.message == "\(vector.location): \(finding.rule.message.dropLast())\(detail).")
    }

    @Test("The sealer refuses errors only", arguments: try RuleVector.all())
    func sealer(_ vector: RuleVector) throws {
        let lint = try vector.lint()
        guard !lint.isSealed else { return }
        let error = refusal(by: try vector.sealer(), of: vector)
        guard vector.isSealable else {
            #expect(error?.code == .notSealable)
            return
        }
        guard let finding = lint.findings.first(where: Self.isRefused) else {
            #expect(error == nil, "The sealer accepts payloads with warnings.")
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

    @Test("The sealer ignores a rule on request", arguments: try RuleVector.all())
    func ignoredRules(_ vector: RuleVector) throws {
        let lint = try vector.lint()
        let errors = Set(lint.findings.filter(Self.isRefused).map(\.rule.id))
        guard vector.isSealable, !lint.isSealed, !errors.isEmpty,
            !errors.contains(Rule.payloadSize.id)
        else { return }
        for id in errors {
            // Each error counts unless its own rule is ignored.
            let others = errors.subtracting([id])
            #expect(refusal(by: try vector.sealer(ignoredRules: others), of: vector)?.code != nil)
        }
        let isRequired = try lint.findings.contains { try Self.isRequired($0, vector.pushType) }
        #expect(
            (refusal(by: try vector.sealer(ignoredRules: errors), of: vector) == nil) == !isRequired
        )
    }

    /// Returns a Boolean value that indicates whether section 6 of the format requires a rule of
    /// every sender.
    private static func isRequired(_ finding: Finding, _ type: PushType) -> Bool {
        let alertTexts = [
            "", ".title", ".subtitle", ".body", ".title-loc-key", ".subtitle-loc-key", ".loc-key",
        ]
        switch finding.rule.id.rawValue {
        case "aps-missing", "aps-not-dictionary", "no-alert-text", "content-available-missing",
            "background-with-alert", "live-activity-custom-key", "content-state-missing",
            "attributes-missing", "withdrawal-target", "reserved-key":
            return true
        case "wrong-type":
            let location = finding.location.description
            // The sealer never seals a Live Activity with values that it can't seal.
            return type == .alert && alertTexts.contains { location == "aps.alert" + $0 }
                || type == .liveActivity
                    && ["aps.content-state", "aps.attributes"].contains(location)
        default:
            return false
        }
    }

    @Test("The sealer always refuses a payload that is too long")
    func payloadSize() throws {
        let vector = try #require(
            RuleVector.all().first { $0.rule == Rule.payloadSize.id.rawValue && $0.breaks })
        let sealer = try vector.sealer(ignoredRules: Set(Rule.all.map(\.id)))
        #expect(refusal(by: sealer, of: vector)?.code == .payloadTooLarge)
    }

    /// Returns whether a sealer, which has no string table and no content extension, refuses the
    /// payload.
    private static func isRefused(_ finding: Finding) -> Bool {
        let lintOnly: [Rule] = [
            .locKeyUnknown, .locArgsTooFew, .locFormat, .categoryUndeclared, .categoryCase,
        ]
        return finding.rule.severity == .error && !lintOnly.contains(finding.rule)
    }

    private func refusal(by sealer: Sealer, of vector: RuleVector) -> PushCryptError? {
        do {
            _ = try sealer.prepare(json: vector.json, headers: vector.headers)
            return nil
        } catch {
            return error as? PushCryptError
        }
    }
}
