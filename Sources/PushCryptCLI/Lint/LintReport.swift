internal import PushCryptLint
internal import PushCryptSender

/// The output of `lint`.
enum LintReport {
    /// One line per finding.
    static func text(_ findings: [Finding]) -> String {
        findings.map { SafeText.onOneLine("\($0.rule.severity.rawValue): \(line($0))") }.joined(
            separator: "\n")
    }

    /// One finding without its severity.
    static func line(_ finding: Finding) -> String {
        "\(finding.message) \(finding.fix) [\(finding.rule.id)]"
    }

    /// The number of findings, and the room that is left.
    static func summary(_ lint: PayloadLint) -> String {
        var counts = Rule.Severity.allCases.map { severity in
            let count = lint.findings.count { $0.rule.severity == severity }
            return "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
        }.joined(separator: ", ")
        if lint.omitted > 0 { counts += " and \(lint.omitted) more of the same rules" }
        guard !lint.isSealed else {
            return "\(counts); checked as sealed: \(lint.length) of \(lint.limit) bytes"
        }
        guard let budget = lint.budget else {
            return "\(counts); checked as an original that cannot be sealed"
        }
        let left =
            budget.remaining < 0
            ? "\(-budget.remaining) bytes too many" : "\(budget.remaining) bytes left"
        return "\(counts); checked as an original to be sealed: \(budget.used) bytes, \(left)"
    }

    static func json(_ lint: PayloadLint, _ type: PushType) -> String {
        var members: [String: JSONValue] = [
            "type": .string(type.rawValue), "checkedAs": lint.isSealed ? "sealed" : "original",
            "bytes": .number(JSONNumber(lint.length)), "limit": .number(JSONNumber(lint.limit)),
            "findings": .array(lint.findings.map(value)),
            "omitted": .number(JSONNumber(lint.omitted)),
        ]
        if let budget = lint.budget {
            members["budget"] = [
                "capacity": .number(JSONNumber(budget.capacity)),
                "used": .number(JSONNumber(budget.used)),
                "remaining": .number(JSONNumber(budget.remaining)),
                "members": .array(
                    budget.members.map {
                        ["location": .string($0.location), "bytes": .number(JSONNumber($0.bytes))]
                    }),
            ]
        }
        return JSONText.pretty(.object(members))
    }

    static func value(_ finding: Finding) -> JSONValue {
        var members = members(finding.rule, message: finding.message, fix: finding.fix)
        members["location"] = .string(finding.location.description)
        members["pointer"] = finding.location.pointer.map { .string($0) }
        return .object(members)
    }

    static func members(_ rule: Rule, message: String, fix: String) -> [String: JSONValue] {
        [
            "rule": .string(rule.id.rawValue), "severity": .string(rule.severity.rawValue),
            "message": .string(message), "fix": .string(fix),
        ]
    }

    // MARK: The rules themselves

    static var rulesTable: String {
        (["| rule | severity | what is wrong | how to fix it |", "|---|---|---|---|"]
            + Rule.all.map {
                "| `\($0.id)` | \($0.severity.rawValue) | \($0.message) | \($0.fix) |"
            })
            .joined(separator: "\n")
    }

    static var rulesValue: JSONValue {
        ["rules": .array(Rule.all.map { .object(members($0, message: $0.message, fix: $0.fix)) })]
    }
}
