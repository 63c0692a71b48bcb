internal import PushCryptCore
internal import PushCryptPayload

/// One look at a payload through the rules.
///
/// What each rule looks at is in `Checks`, a file for each subject. The sealer asks for errors alone and for the checks that
/// it depends on; a review asks for everything.
package struct RuleCheck {
    /// What a payload is judged as.
    let subject: LintSubject
    /// The payload.
    let bytes: [UInt8]
    /// Where everything is in it.
    let outline: PayloadOutline
    /// The push type.
    let type: PushType
    /// Whether warnings and notes are wanted, or errors alone.
    let isComplete: Bool
    /// The rules that the sender knows better.
    package var ignoredRules: Set<Rule.ID> = []
    /// What was found.
    package private(set) var findings: [Finding] = []
    /// How often each rule was broken.
    private var counts: [Rule.ID: Int] = [:]

    /// How many findings of one rule are told: whoever reads them has seen enough.
    ///
    /// A thousand nulls below a long name would fill the memory otherwise.
    static let maximumFindings = 100

    /// How many findings were left out.
    package var omitted: Int { counts.values.reduce(0) { $0 + max(0, $1 - Self.maximumFindings) } }

    package init(
        bytes: [UInt8], outline: PayloadOutline, type: PushType, subject: LintSubject,
        isComplete: Bool
    ) {
        self.bytes = bytes
        self.outline = outline
        self.type = type
        self.subject = subject
        self.isComplete = isComplete
    }

    /// The checks that a payload must pass to be sealed.
    package mutating func checkWhatSealingNeeds() {
        checkShape()
        switch type {
        case .alert: checkAlert()
        case .background: checkBackground()
        case .voip: break
        case .liveActivity: checkLiveActivity()
        }
    }

    /// Notes that a rule is broken.
    package mutating func report(
        _ rule: Rule, at place: @autoclosure () -> Finding.Place, _ detail: @autoclosure () -> String? = nil,
        mend: String? = nil
    ) {
        guard isComplete || rule.severity == .error, !ignoredRules.contains(rule.id) else { return }
        counts[rule.id, default: 0] += 1
        guard counts[rule.id, default: 0] <= Self.maximumFindings else { return }
        findings.append(Finding(rule: rule, place: place(), detail: detail(), mend: mend))
    }

    /// The same, where the rule is about one of Apple's keys.
    mutating func report(_ rule: Rule, at key: PayloadKey, _ detail: @autoclosure () -> String? = nil) {
        report(rule, at: Finding.Place(key.path), detail())
    }

    // MARK: Reading values

    func kind(_ member: JSONDocument.Member) -> JSONDocument.Kind {
        outline.document.kind(of: member, in: bytes.span)
    }

    /// A member that is a string; `nil` for any other.
    func text(_ member: JSONDocument.Member?) -> String? {
        guard let member, kind(member) == .string else { return nil }
        return String(decoding: JSONText.decoded(bytes.span, contents(member)), as: UTF8.self)
    }

    /// Whether a member is a string with something in it.
    func hasText(_ member: JSONDocument.Member?) -> Bool {
        guard let member, kind(member) == .string else { return false }
        return member.value.count > 2
    }

    /// Whether a member is one of some strings.
    func isText(_ member: JSONDocument.Member, oneOf names: [String]) -> Bool {
        text(member).map { names.contains($0) } ?? false
    }

    /// A member that is a number, as near as a `Double` comes to it; `nil` for any other.
    func number(_ member: JSONDocument.Member?) -> Double? {
        guard let member, kind(member) == .number else { return nil }
        return Double(String(decoding: bytes[member.value], as: UTF8.self))
    }

    /// Whether a member is the number 1, however it is spelt.
    func isOne(_ member: JSONDocument.Member?) -> Bool {
        guard let member else { return false }
        if member.value.count == 1 { return bytes[member.value.lowerBound] == UInt8(ascii: "1") }
        return number(member) == 1
    }

    /// Whether a member is `true`.
    func isTrue(_ member: JSONDocument.Member?) -> Bool {
        guard let member else { return false }
        return bytes[member.value.lowerBound] == UInt8(ascii: "t")
    }

    /// Whether a member is there and is not `null`.
    func isPresent(_ key: PayloadKey) -> Bool {
        guard let member = outline[key] else { return false }
        return kind(member) != .null
    }

    private func contents(_ member: JSONDocument.Member) -> Range<Int> {
        (member.value.lowerBound + 1)..<(member.value.upperBound - 1)
    }
}
