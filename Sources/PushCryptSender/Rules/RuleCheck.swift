package import PushCryptCore
package import PushCryptPayload

/// A check of one payload against the rules.
package struct RuleCheck {
    /// The payload with the locations of Apple's keys.
    package let outline: PayloadOutline
    /// The push type.
    package let type: PushType
    /// A Boolean value that indicates whether the payload is sealed already.
    package let isSealed: Bool
    /// A Boolean value that indicates whether an extension opens the payload on one device.
    package var isSealable = true
    /// A Boolean value that indicates whether warnings and notes count too.
    package let isComplete: Bool
    /// The rules that don't apply.
    package let ignoredRules: Set<Rule.ID>
    /// The findings, in the order of the checks.
    package private(set) var findings: [Finding] = []
    /// The number of findings of each rule.
    private var counts: [Rule.ID: Int] = [:]

    /// The maximum number of findings of each rule, because their paths may be long.
    private static let maximumFindings = 100

    /// The number of findings beyond the maximum.
    package var omitted: Int { counts.values.reduce(0) { $0 + max(0, $1 - Self.maximumFindings) } }

    package init(
        _ outline: PayloadOutline, type: PushType, isComplete: Bool, ignoredRules: Set<Rule.ID>
    ) {
        self.outline = outline
        self.type = type
        isSealed = outline.isSealed
        self.isComplete = isComplete
        self.ignoredRules = ignoredRules
    }

    /// Checks what the sealer requires of a payload.
    package mutating func checkRequirements() {
        checkReservedKeys()
        checkSchema()
        checkAttachments()
        switch type {
        case .alert: checkAlert()
        case .background: checkBackground()
        case .liveActivity: checkLiveActivity()
        case .withdrawal: checkWithdrawal()
        default: break
        }
    }

    /// Adds a finding, unless its rule is ignored, and the format doesn't require it of every
    /// sender.
    package mutating func report(
        _ rule: Rule, at location: @autoclosure () -> Finding.Location,
        _ detail: @autoclosure () -> String? = nil,
        fix: String? = nil, isRequired: Bool = false
    ) {
        guard isComplete || rule.severity == .error else { return }
        let isIgnored =
            ignoredRules.contains(rule.id) && !isRequired && !Rule.required.contains(rule.id)
        guard !isIgnored else { return }
        counts[rule.id, default: 0] += 1
        guard counts[rule.id, default: 0] <= Self.maximumFindings else { return }
        findings.append(Finding(rule: rule, location: location(), detail: detail(), fix: fix))
    }

    /// Adds a finding at one of Apple's keys.
    package mutating func report(
        _ rule: Rule, at key: PayloadKey, _ detail: @autoclosure () -> String? = nil
    ) {
        report(rule, at: Finding.Location(key.path), detail())
    }

    // MARK: Values

    /// Returns the name of a member, without escapes.
    package func name(_ member: JSONDocument.Value) -> String {
        outline.document.name(of: member, in: outline.bytes.span)
    }

    /// Returns the text of a string, or `nil` for another value.
    package func text(_ member: JSONDocument.Value?) -> String? {
        outline.document.string(member, in: outline.bytes.span)
    }

    /// Returns a Boolean value that indicates whether a member is a string that isn't empty.
    package func hasText(_ member: JSONDocument.Value?) -> Bool {
        guard let member else { return false }
        return member.kind == .string && !member.contents.isEmpty
    }

    /// Returns the nearest `Double` to a number, or `nil` for another value.
    package func number(_ member: JSONDocument.Value?) -> Double? {
        outline.document.number(member, in: outline.bytes.span).flatMap { Double($0) }
    }

    /// Returns a Boolean value that indicates whether a flag is set: 1, or `true`, which the system
    /// accepts too.
    package func isSet(_ key: PayloadKey) -> Bool {
        guard let member = outline[key] else { return false }
        return number(member) == 1 || outline.document.isTrue(member, in: outline.bytes.span)
    }

    /// Returns a Boolean value that indicates whether a key has another value than `null`.
    package func isPresent(_ key: PayloadKey) -> Bool {
        outline[key].map { $0.kind != .null } ?? false
    }

    /// A Boolean value that indicates whether `aps` is a dictionary.
    package var hasAPS: Bool { outline.aps.map { $0.kind == .object } ?? false }
}
