internal import PushCryptCore
internal import PushCryptPayload
internal import PushCryptRules
internal import PushCryptSender

/// What `lint` prints.
enum LintReport {
    /// A line for each finding; nothing where there is none.
    static func text(_ review: PayloadLint) -> String {
        review.findings.map { SafeText.onOneLine("\($0.rule.severity.rawValue): \(line($0))") }.joined(separator: "\n")
    }

    /// One finding without its severity.
    static func line(_ finding: Finding) -> String {
        "\(finding.message) \(finding.fix) [\(finding.rule.id)]"
    }

    /// What was judged, and how much room is left.
    static func summary(_ review: PayloadLint) -> String {
        var counts = Rule.Severity.allCases.map { severity in
            let count = review.findings.count { $0.rule.severity == severity }
            return "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
        }.joined(separator: ", ")
        if review.omitted > 0 { counts += " and \(review.omitted) more of the same rules" }
        guard review.subject == .original else {
            return "\(counts); judged as what travels: \(review.length) of \(review.limit) bytes"
        }
        guard let budget = review.budget else { return "\(counts); judged as an original, which cannot be sealed" }
        let left =
            budget.remaining < 0
            ? "\(-budget.remaining) bytes too many" : "room for \(budget.remaining) bytes more"
        return "\(counts); judged as an original to be sealed: \(budget.used) bytes, \(left)"
    }

    /// One object.
    static func json(_ review: PayloadLint, _ type: PushType) throws(PushCryptError) -> String {
        var members: [String: JSONValue] = [
            "type": .string(type.rawValue), "judgedAs": .string(review.subject.rawValue),
            "bytes": .number(JSONNumber(review.length)), "limit": .number(JSONNumber(review.limit)),
            "findings": .array(review.findings.map(value)), "omitted": .number(JSONNumber(review.omitted)),
        ]
        if let budget = review.budget {
            members["budget"] = [
                "capacity": .number(JSONNumber(budget.capacity)), "used": .number(JSONNumber(budget.used)),
                "remaining": .number(JSONNumber(budget.remaining)),
                "members": .array(
                    budget.members.map { ["place": .string($0.place), "bytes": .number(JSONNumber($0.bytes))] }),
            ]
        }
        return try JSONText.pretty(.object(members))
    }

    private static func value(_ finding: Finding) -> JSONValue {
        var members: [String: JSONValue] = [
            "rule": .string(finding.rule.id.rawValue), "severity": .string(finding.rule.severity.rawValue),
            "location": .string(finding.location.description), "message": .string(finding.message),
            "fix": .string(finding.fix),
        ]
        members["pointer"] = finding.location.pointer.map { .string($0) }
        return .object(members)
    }
}
